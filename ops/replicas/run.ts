import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { addSyntheticBusinesses } from '../../bench/import/synthetic-businesses.ts'
import { get, loadOf } from '../../bench/load.ts'
import { median, quantile, rounded } from '../../bench/quantiles.ts'
import { ofOperators, writeResults } from '../../bench/results.ts'
import { searchFilters } from '../../bench/search/search-filters.ts'
import { prepareNodes, type Nodes } from '../nodes/nodes.ts'
import { query, startServers, type Server } from './servers.ts'

/**
 * Searches with no, one and two read replicas, each PostgreSQL with `--share` of one processor: how many are answered in a
 * second, and what they cost the primary. Then a replica is killed and started again under load, and every search must be
 * answered.
 */
const { values } = parseArgs({
  options: {
    businesses: { type: 'string', default: '100000' },
    share: { type: 'string', default: '0.15' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    port: { type: 'string', default: '25000' },
  },
})
const port = Number(values.port)
const share = Number(values.share)
// With more, searches wait for the processor longer than a tenth of a second, and are tried another way.
const connections = 6
const tell = (line: string) => console.error(`# ${line}`)
await using running = new AsyncDisposableStack()
const servers = await startServers(running, port + 1)
const { primary } = servers
const folder = mkdtempSync(join(tmpdir(), 'wbs-replicas-node-'))
running.defer(() => rmSync(folder, { recursive: true, force: true }))
const nodes = await prepareNodes(running, { folder, url: primary.url })

tell('filling the primary')
await (await nodes.start(port, { SVC_SAMPLE_DATA: 'on' })).stop()
const filters = await fill()
const standbys = [await servers.addStandby(), await servers.addStandby()]
for (const server of [primary, ...standbys]) server.share.limit(share)

const measured: Measurement[] = []
for (let round = 1; round <= Number(values.rounds); round++)
  for (const replicas of [0, 1, 2]) {
    const figures = await measure(nodes, standbys.slice(0, replicas))
    tell(`round ${round}, ${replicas} replicas: ${JSON.stringify(figures)}`)
    measured.push(figures)
  }
const throughput = [0, 1, 2].map(replicas => {
  const all = measured.filter(figures => figures.replicas === replicas)
  const of = (pick: (one: Measurement) => number) => rounded(median(all.map(pick)))
  return {
    replicas,
    per_second: of(figures => figures.per_second),
    p50_ms: of(figures => figures.p50_ms),
    p99_ms: of(figures => figures.p99_ms),
    primary_seconds_per_1000: of(figures => figures.primary_seconds_per_1000),
    replica_seconds_per_1000: of(figures => figures.replica_seconds_per_1000),
  }
})
console.table(throughput)
const killed = await killUnderLoad()
console.table(killed)
const figures = {
  businesses: Number(values.businesses),
  share_of_a_processor: share,
  filters: filters.length,
  throughput,
  killed,
}
console.log(JSON.stringify(figures, null, 2))
tell(`written to ${writeResults('replicas', figures, ofOperators)}`)
if (killed.failed > 0) process.exitCode = 1

interface Measurement {
  replicas: number
  per_second: number
  p50_ms: number
  p99_ms: number
  primary_seconds_per_1000: number
  replica_seconds_per_1000: number
}

/** Fills the primary. Gives the quickest quarter of the searches of the benchmark: on a small machine the others take seconds. */
async function fill(): Promise<string[]> {
  const client = new pg.Client({ connectionString: primary.url, options: '-c search_path=svc,public' })
  await client.connect()
  await addSyntheticBusinesses(client, Number(values.businesses), tell)
  const all = await searchFilters(client)
  await client.end()
  const node = await nodes.start(port)
  const agent = new Agent({ keepAlive: true })
  const timed: { filter: string; took: number }[] = []
  for (const filter of all) {
    const took: number[] = []
    for (let i = 0; i < 3; i++) {
      const begun = performance.now()
      await get(urlOf(filter), agent)
      took.push(performance.now() - begun)
    }
    timed.push({ filter, took: Math.min(...took) })
  }
  agent.destroy()
  await node.stop()
  const quickest = timed.sort((read, other) => read.took - other.took).slice(0, all.length / 4)
  tell(
    `${quickest.length} of ${all.length} searches, which take ${rounded(quickest.at(-1)?.took ?? 0)} ms at most`,
  )
  return quickest.map(({ filter }) => filter)
}

function urlOf(filter: string): string {
  return `http://127.0.0.1:${port}/v1/businesses?${filter}`
}

function anyUrl(): string {
  return urlOf(filters[Math.floor(Math.random() * filters.length)] ?? '')
}

function replicaSetting(replicas: readonly Server[]): Record<string, string> {
  return { DATABASE_REPLICA_URL: replicas.map(({ url }) => url).join(' ') }
}

/** Waits until the replicas carry searches. */
async function untilUsed(replicas: readonly Server[]): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  for (const { url } of replicas)
    for (let isUsed = false; !isUsed; await sleep(100)) {
      await get(anyUrl(), agent)
      const [row] = await query<{ used: boolean }>(
        url,
        `select exists (select from pg_stat_activity where application_name = 'wbs svc_reader') as used`,
      )
      isUsed = row?.used === true
    }
  agent.destroy()
}

async function measure(nodes: Nodes, replicas: readonly Server[]): Promise<Measurement> {
  const node = await nodes.start(port, replicaSetting(replicas))
  await untilUsed(replicas)
  const load = (seconds: number) => loadOf((_, agent) => get(anyUrl(), agent), { seconds, connections })
  await load(3)
  const used = () => [primary, ...standbys].map(server => server.share.used())
  const before = used()
  const seconds = Number(values.seconds)
  const { per_second, p50_ms, p99_ms } = await load(seconds)
  const [ofPrimary = 0, ...ofReplicas] = used().map((now, i) => now - (before[i] ?? 0))
  await node.stop()
  const thousands = (per_second * seconds) / 1000
  return {
    replicas: replicas.length,
    per_second,
    p50_ms,
    p99_ms,
    primary_seconds_per_1000: ofPrimary / thousands,
    replica_seconds_per_1000: ofReplicas.reduce((sum, replica) => sum + replica, 0) / thousands,
  }
}

/** Kills a replica after five seconds, starts it again after ten more, and goes on for ten. */
async function killUnderLoad() {
  const node = await nodes.start(port, replicaSetting(standbys))
  await untilUsed(standbys)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const took: number[] = []
  const state = { failed: 0, isOver: false }
  const loops = Array.from({ length: connections }, async () => {
    while (!state.isOver) {
      const begun = performance.now()
      await get(anyUrl(), agent).catch((error: unknown) => {
        state.failed++
        console.error(error)
      })
      took.push(performance.now() - begun)
    }
  })
  await sleep(5000)
  await standbys[0]?.crash()
  await sleep(10_000)
  await standbys[0]?.start()
  await sleep(10_000)
  state.isOver = true
  await Promise.all(loops)
  agent.destroy()
  await node.stop()
  return {
    searches: took.length,
    failed: state.failed,
    p50_ms: rounded(median(took)),
    p99_ms: rounded(quantile(took, 0.99)),
    slowest_ms: Math.round(Math.max(...took)),
  }
}
