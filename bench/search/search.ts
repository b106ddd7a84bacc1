import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { get } from '../load.ts'
import { median, quantile, rounded } from '../quantiles.ts'
import { writeResults } from '../results.ts'
import { deepCursors } from './deep-cursors.ts'
import { searchFilters } from './search-filters.ts'
import { measureLoad } from './search-load.ts'
import { startProcess, type MeasuredProcess } from '../service-process.ts'
import { addSyntheticBusinesses } from '../import/synthetic-businesses.ts'

const tell = (line: string) => console.error(`# ${line}`)

/**
 * Measures search latency over a fixed set of filters, and the throughput of search, of a single Business and of GET
 * /v1/me against the floor of search-floor.ts. `--businesses N` (default 100,000) in total; `--data DIR` keeps the data
 * folder for the next run.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      businesses: { type: 'string', default: '100000' },
      data: { type: 'string' },
      rounds: { type: 'string', default: '12' },
    },
  })
  const wanted = Number(values.businesses)
  const folder = values.data ? resolve(values.data) : await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  const service = await startProcess(new URL('../../packages/server/src/main.ts', import.meta.url), {
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
    const rounds = Number(values.rounds)
    const throughput = await measureLoad({ service, client, address, folder, rounds, tell })
    await client.end()
    const figures = { businesses: wanted, latency, throughput, memory_mib: service.memory() }
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
