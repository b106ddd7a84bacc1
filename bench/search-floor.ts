import Fastify from 'fastify'
import pg from 'pg'

/**
 * The floor that the service is measured against: bare Fastify routes with the same SQL by the same driver, prepared and
 * pipelined the same way, and nothing else: no validation, no identity, no declared output, no headers of its own.
 */
const { address, statements } = JSON.parse(process.env.FLOOR ?? '{}') as {
  address: pg.ClientConfig
  statements: Record<'search' | 'one', { name: string; text: string; values: unknown[] }>
}

async function lines(options: string) {
  const clients = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = new pg.Client({ ...address, options, pipeline: true })
      await client.connect()
      return client
    }),
  )
  let next = 0
  return () => clients[next++ % clients.length] as pg.Client
}

const role = '-c role=svc_reader -c search_path=svc,public -c jit=off'
const searching = await lines(`${role} -c plan_cache_mode=force_custom_plan`)
const reading = await lines(role)
const server = Fastify()
server.get('/search', async () => (await searching().query(statements.search)).rows)
server.get('/one', async () => (await reading().query(statements.one)).rows[0])
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
