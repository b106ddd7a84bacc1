import Fastify from 'fastify'
import pg from 'pg'
import type { FloorStatements } from './compare-reads.ts'

/**
 * The floor of reads: a bare Fastify route that sends one statement by the same driver, prepared and pipelined. It has no
 * authentication, validation or schema, and connects as a superuser, so that row-level security does not apply.
 */
const { address, statements } = JSON.parse(process.env.FLOOR ?? '{}') as {
  address: pg.ClientConfig
  statements: FloorStatements
}

const client = new pg.Client({
  ...address,
  options: '-c search_path=svc,public -c jit=off -c plan_cache_mode=force_generic_plan',
  pipeline: true,
})
await client.connect()

const server = Fastify()
server.get<{ Params: { name: string }; Querystring: { values: string } }>(
  '/:name',
  async ({ params: { name }, query }) => {
    const values = JSON.parse(query.values) as unknown[]
    const { rows } = await client.query({ name, text: statements[name] ?? '', values })
    return { data: rows }
  },
)
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
