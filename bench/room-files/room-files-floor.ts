import Fastify from 'fastify'
import pg from 'pg'
import { floorStatements, type FloorStatement } from './floor-statements.ts'

/**
 * The floor of reads of Files: a bare Fastify route that sends one statement by the same driver, prepared and pipelined. It
 * has no authentication, validation or schema, and connects as a superuser, so that row-level security does not apply.
 */
const { address } = JSON.parse(process.env.FLOOR ?? '{}') as { address: pg.ClientConfig }

const client = new pg.Client({
  ...address,
  options: '-c search_path=svc,public -c jit=off -c plan_cache_mode=force_generic_plan',
  pipeline: true,
})
await client.connect()

const server = Fastify()
server.get<{ Params: { name: FloorStatement }; Querystring: { values: string } }>(
  '/:name',
  async ({ params: { name }, query }) => {
    const values = JSON.parse(query.values) as unknown[]
    const { rows } = await client.query({ name, text: floorStatements[name], values })
    return { data: rows }
  },
)
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
