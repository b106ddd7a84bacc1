import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { declaredStatements } from '../packages/server/src/database/statement.ts'
import { get, throughput } from './load.ts'
import { median, quantile, ratioOf, rounded, writeResults } from './results.ts'
import { searchFilters } from './search-filters.ts'
import { startProcess, type MeasuredProcess } from './service-process.ts'
import { addSyntheticBusinesses } from './synthetic-businesses.ts'

const tell = (line: string) => console.error(`# ${line}`)

/**
 * Search latency over a fixed set of filters, and the throughput of search and of a single Business against the floor of
 * search-floor.ts. `--businesses N` (default 100,000) in all; `--data DIR` keeps the data folder for the next run.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      businesses: { type: 'string', default: '100000' },
      data: { type: 'string' },
      rounds: { type: 'string', default: '5' },
    },
  })
  const wanted = Number(values.businesses)
  const folder = values.data ? resolve(values.data) : await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  const service = await startProcess('../packages/server/src/main.ts', {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
  })
  try {
    const address = { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }
    const client = new pg.Client({ ...address, options: '-c search_path=svc,public' })
    await client.connect()
    await addSyntheticBusinesses(client, wanted, tell)
    const filters = await searchFilters(client)
    const latency = await measureLatency(service, client, filters)
    const ratios = await measureThroughput(service, client, address, Number(values.rounds))
    await client.end()
    const figures = { businesses: wanted, latency, throughput: ratios, memory_mib: service.memory() }
    console.log(JSON.stringify(figures, null, 2))
    tell(`written to ${writeResults(`search-${wanted}`, figures)}`)
  } finally {
    await service.stop()
    if (!values.data) await rm(folder, { recursive: true, force: true })
  }
}

async function measureLatency(service: MeasuredProcess, client: pg.Client, filters: readonly string[]) {
  const deep = await deepCursors(client)
  const agent = new Agent({ keepAlive: true })
  const requests = filters.flatMap(filter =>
    ['', ...deep.map(cursor => `cursor=${cursor}`)].map(cursor => [filter, cursor].filter(Boolean).join('&')),
  )
  tell(`${requests.length} different searches, each once to warm up and 5 times measured`)
  const byRequest = new Map<string, number[]>()
  for (let round = 0; round < 6; round++) {
    for (const search of requests) {
      const begun = performance.now()
      await get(`${service.base_url}/v1/businesses?${search}`, agent)
      if (round > 0) byRequest.set(search, [...(byRequest.get(search) ?? []), performance.now() - begun])
    }
  }
  agent.destroy()
  const all = [...byRequest.values()].flat()
  const slowest = [...byRequest]
    .map(([search, times]) => ({ search, median_ms: rounded(median(times)) }))
    .sort((a, b) => b.median_ms - a.median_ms)
  return {
    searches: requests.length,
    p50_ms: rounded(quantile(all, 0.5)),
    p90_ms: rounded(quantile(all, 0.9)),
    p99_ms: rounded(quantile(all, 0.99)),
    max_ms: rounded(Math.max(...all)),
    slowest: slowest.slice(0, 12),
  }
}

/** Ids half way and nearly at the end of the registry. */
async function deepCursors(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select percentile_disc(array[0.5, 0.99]) within group (order by id collate "C") as ids from (select id from published_businesses tablesample system (2)) s`,
  )
  return (rows[0] as unknown as { ids: string[] }).ids
}

async function measureThroughput(
  service: MeasuredProcess,
  client: pg.Client,
  address: object,
  rounds: number,
) {
  const { rows } = await client.query<{ id: string }>(
    'select id from published_businesses order by id offset 1000 limit 1',
  )
  const id = rows[0]?.id ?? ''
  const agent = new Agent()
  const search = '/v1/businesses?query=first&state=GA'
  await get(`${service.base_url}${search}`, agent)
  const floor = await startProcess('./search-floor.ts', {
    FLOOR: JSON.stringify({ address, statements: await floorStatements(id) }),
  })
  try {
    const pairs = { search: [] as number[][], one: [] as number[][] }
    for (let round = 0; round < rounds; round++) {
      tell(`throughput, round ${round + 1} of ${rounds}`)
      pairs.search.push(await pair(`${service.base_url}${search}`, `${floor.base_url}/search`))
      pairs.one.push(await pair(`${service.base_url}/v1/businesses/${id}`, `${floor.base_url}/one`))
    }
    return { search: ratioOf(pairs.search), single_business: ratioOf(pairs.one) }
  } finally {
    await floor.stop()
  }
}

const pair = async (ours: string, floor: string) => [
  await throughput(ours, { seconds: 3, connections: 32 }),
  await throughput(floor, { seconds: 3, connections: 32 }),
]

/** The very statements of the service, with the values that the measured requests give them. */
async function floorStatements(id: string) {
  const { publishedBusinesses } = await import('../packages/server/src/businesses/business-search.ts')
  await import('../packages/server/src/businesses/business-store.ts')
  let search: { name: string; text: string; values: readonly unknown[] } | undefined
  await publishedBusinesses(
    {
      many: async (statement, values) => {
        search = { name: statement.name, text: statement.text, values }
        return []
      },
      one: async () => undefined,
    },
    { query: 'first', state: 'GA' },
    20,
  )
  const one = [...declaredStatements()].find(statement => statement.name === 'published_business_by_id')
  return { search, one: { name: one?.name, text: one?.text, values: [id] } }
}
