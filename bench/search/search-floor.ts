import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The floor of reads: bare Fastify routes with one plain statement each, by the same driver, prepared and pipelined,
 * without validation, schema or headers. The statements are written by hand for this purpose. That of a single Business
 * also finds an API key by its prefix and compares its digest, which is the minimum for a caller with a credential.
 */
const { address } = JSON.parse(process.env.FLOOR ?? '{}') as { address: pg.ClientConfig }

const columns = `p.id, p.name, p.publication_status, p.status, p.closed_on, p.description, p.founded_on,
  p.primary_classification_id, p.primary_location_id, p.published_at, p.public_email, p.public_phone, p.website_url,
  p.country_code, p.state, p.city, p.naics_code, p.naics_vintage, p.naics_title`

const oneText = `select ${columns}, b.legal_name, b.founded_year, b.revision, b.merged_into_id, b.created_at, b.updated_at
  from api_keys k, published_businesses p join businesses b on b.id = p.id
  where p.id = $1 and k.prefix = $2 and k.secret_digest = $3 and k.revoked_at is null`

const searchText = `select ${columns} from published_businesses p
  where p.name_folded like '%' || $1 || '%' and p.terms @> array['state:' || $2] order by p.id limit 21`

/** Connects as the login role, so that row-level security does not apply. */
async function pipeline(settings = '') {
  const options = `-c search_path=svc,public -c jit=off ${settings}`
  const clients = Array.from({ length: 4 }, () => new pg.Client({ ...address, options, pipeline: true }))
  await Promise.all(clients.map(client => client.connect()))
  let turn = 0
  return async (name: string, text: string, values: unknown[]): Promise<unknown[]> =>
    (await (clients[turn++ % clients.length] as pg.Client).query({ name, text, values })).rows
}
const run = await pipeline()
// Which index suits a search depends on its words, so a generic plan would be wrong for some.
const runPlanned = await pipeline('-c plan_cache_mode=force_custom_plan')

const server = Fastify()
server.get<{ Params: { id: string } }>('/businesses/:id', async (request, reply) => {
  const key = String(request.headers['x-svc-api-key'])
  const digest = createHash('sha256').update(key).digest()
  const [one] = await run('one', oneText, [request.params.id, key.slice(0, key.lastIndexOf('_')), digest])
  return one ?? reply.code(404).send({})
})
server.get<{ Querystring: { query: string; state: string } }>('/businesses', async ({ query }) => ({
  data: await runPlanned('search', searchText, [query.query, query.state]),
}))
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
