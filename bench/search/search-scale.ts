import { Agent } from 'node:http'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { addSyntheticBusinesses } from '../import/synthetic-businesses.ts'
import { get } from '../load.ts'
import { median, quantile, rounded } from '../quantiles.ts'
import { writeResults } from '../results.ts'
import { startProcess, type MeasuredProcess } from '../service-process.ts'
import { deepCursors } from './deep-cursors.ts'
import { searchFilters } from './search-filters.ts'

const tell = (line: string) => console.error(`# ${line}`)

interface Registry {
  service: MeasuredProcess
  client: pg.Client
  times: Map<string, number[]>
  /** The requests whose first page was not full although there was more. */
  continued: number
  /** How many requests fill a first page of 20, or find that there are fewer matches. */
  toFill: number[]
}

/**
 * Measures the same searches on a small and a large registry, in turn, over HTTP: the ratio of their latencies. `--small N` and
 * `--large N` (default 5 and 20 million) are built in folders below `--data DIR`, and stay there for the next run; or they are
 * URLs of databases with so many synthetic Businesses. `--rounds N` (default 3), `--name` of the results; `--small-program FILE`: the
 * main.ts of another checkout, which serves the small one.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      small: { type: 'string', default: '5000000' },
      large: { type: 'string', default: '20000000' },
      'small-program': { type: 'string' },
      data: { type: 'string', default: '.bench' },
      rounds: { type: 'string', default: '3' },
      name: { type: 'string', default: 'search-scale' },
    },
  })
  const small = await open(values.small, values.data, values['small-program'])
  const large = await open(values.large, values.data)
  try {
    const filters = await searchFilters(small.client)
    const [inSmall, inLarge] = [await requestsOf(small, filters), await requestsOf(large, filters)]
    tell(
      `${inSmall.length} different searches, each once to warm up and ${values.rounds} times measured, in turn`,
    )
    for (let round = 0; round <= Number(values.rounds); round++) {
      for (const [i, search] of inSmall.entries()) {
        await measure(small, search, round)
        await measure(large, inLarge[i] ?? '', round)
      }
      tell(`round ${round}: ${summary(small)} | ${summary(large)}`)
    }
    const figures = { small: await figuresOf(small), large: await figuresOf(large) }
    const ratio = (key: 'p50_ms' | 'p90_ms' | 'p99_ms') =>
      rounded(figures.large.latency[key] / figures.small.latency[key])
    const results = {
      searches: inSmall.length,
      rounds: Number(values.rounds),
      ...figures,
      large_to_small: { p50: ratio('p50_ms'), p90: ratio('p90_ms'), p99: ratio('p99_ms') },
    }
    console.log(JSON.stringify(results, null, 2))
    tell(`written to ${writeResults(values.name, results)}`)
  } finally {
    for (const scale of [small, large]) {
      await scale.client.end()
      await scale.service.stop()
    }
  }
}

/** Starts a service on a registry, and makes the registry if it is given by its size. */
async function open(
  sizeOrUrl: string,
  data: string,
  program: string | URL = new URL('../../packages/server/src/main.ts', import.meta.url),
): Promise<Registry> {
  const isUrl = sizeOrUrl.startsWith('postgres')
  const folder = resolve(data, isUrl ? `of-${new URL(sizeOrUrl).pathname.slice(1)}` : sizeOrUrl)
  const service = await startProcess(program, {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    ...(isUrl && { DATABASE_URL: sizeOrUrl }),
  })
  const client = new pg.Client({
    ...(isUrl
      ? { connectionString: sizeOrUrl }
      : { host: join(folder, 'postgres'), port: 5432, user: 'svc', database: 'postgres' }),
    options: '-c search_path=svc,public',
  })
  await client.connect()
  if (!isUrl) await addSyntheticBusinesses(client, Number(sizeOrUrl), tell)
  return { service, client, times: new Map(), continued: 0, toFill: [] }
}

async function requestsOf({ client }: Registry, filters: readonly string[]): Promise<string[]> {
  const cursors = ['', ...(await deepCursors(client)).map(cursor => `cursor=${cursor}`)]
  return filters.flatMap(filter => cursors.map(cursor => [filter, cursor].filter(Boolean).join('&')))
}

const agent = new Agent({ keepAlive: true })

/** Sends a request once. In the first round, it also follows the cursors until a page of 20 is full. */
async function measure(registry: Registry, search: string, round: number): Promise<void> {
  const url = `${registry.service.base_url}/v1/businesses?${search}`
  const begun = performance.now()
  const page = await pageOf(url)
  if (round > 0)
    registry.times.set(search, [...(registry.times.get(search) ?? []), performance.now() - begun])
  if (round !== 1) return
  let [found, requests, cursor] = [page.rows, 1, page.cursor]
  if (found < 20 && cursor !== null) registry.continued++
  for (; found < 20 && cursor !== null; requests++) {
    const next = await pageOf(`${url.replace(/[?&]cursor=[^&]*/, '')}&cursor=${cursor}`)
    found += next.rows
    cursor = next.cursor
  }
  registry.toFill.push(requests)
}

async function pageOf(url: string): Promise<{ rows: number; cursor: string | null }> {
  const { data, page } = JSON.parse(await get(url, agent)) as {
    data: unknown[]
    page: { cursor: string | null }
  }
  return { rows: data.length, cursor: page.cursor }
}

function latencyOf({ times }: Registry) {
  const all = [...times.values()].flat()
  return {
    p50_ms: rounded(quantile(all, 0.5)),
    p90_ms: rounded(quantile(all, 0.9)),
    p99_ms: rounded(quantile(all, 0.99)),
    max_ms: rounded(Math.max(...all)),
  }
}

const summary = (registry: Registry): string => JSON.stringify(latencyOf(registry))

async function figuresOf(registry: Registry) {
  const { rows } = await registry.client.query<{ businesses: number; table_mib: number; index_mib: number }>(
    `select sum(c.reltuples)::integer as businesses, (sum(pg_table_size(c.oid)) / 1048576)::integer as table_mib,
       (sum(pg_indexes_size(c.oid)) / 1048576)::integer as index_mib,
       count(*)::integer as partitions
     from pg_class c where c.relkind = 'r' and (c.relname = 'published_businesses' or c.relispartition and c.relname like 'published_businesses%')`,
  )
  const slowest = [...registry.times]
    .map(([search, times]) => ({ search, median_ms: rounded(median(times)) }))
    .sort((a, b) => b.median_ms - a.median_ms)
  return {
    ...rows[0],
    latency: latencyOf(registry),
    first_pages_continued: registry.continued,
    most_requests_for_a_page: Math.max(...registry.toFill),
    slowest: slowest.slice(0, 8),
  }
}
