import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { changeHeaders, startFeedWorld, type FeedWorld } from './feed-world.ts'
import { startReaders, type Readers } from './reader-process.ts'
import type { ReadersReport } from './feed-readers.ts'
import { sendRequest } from '../load.ts'
import { quantile, rounded } from '../quantiles.ts'
import { writeResults } from '../results.ts'
import { startProcess } from '../service-process.ts'

const tell = (line: string) => console.error(`# ${line}`)

/**
 * Measures the feed on one node: the delay until `--streams N` (500) streams of different members have an event, at 20
 * events a second and with `--writers N` (8) at full speed, and what that costs the writers; the cost of a change that
 * none of 300 streams may see; and changes beside `--idle N` (3,000) streams that receive nothing. The readers are a
 * separate process on the same machine. Deliveries are compared with a bare Fastify that sends the same bytes.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      streams: { type: 'string', default: '500' },
      writers: { type: 'string', default: '8' },
      idle: { type: 'string', default: '3000' },
    },
  })
  const streams = Number(values.streams)
  const writers = Number(values.writers)
  const idle = Number(values.idle)
  const world = await startFeedWorld(Math.max(streams, idle, 300))
  const readers = startReaders()
  try {
    const open = (count: number) => readers.open(world.service.base_url, world.members.slice(0, count))
    const memory = { at_rest: world.service.memory().now, peak: 0 }
    const ofWriters = await sharedRooms(world, writers)
    const shared = await sharedRooms(world, 100)
    // An unchanged title would be no change and cause no event.
    const change = (i: number, agent: Agent) =>
      changeRoom(world, agent, shared[i % shared.length] as Target, { title: randomUUID() })
    await writeFlatOut(world, ofWriters, 2)

    const aloneInvisible = await transactionsOfWrites(world)
    const alonePaced = await writePaced(5, change)
    const aloneFlatOut = await writeFlatOut(world, ofWriters, 5)
    tell(`alone: ${rounded(aloneFlatOut.rate, 0)} changes a second`)

    await open(300)
    // Idle connections report their statistics ten seconds late, so the cost of opening is waited out.
    await sleep(12_000)
    const invisible = await transactionsOfWrites(world)
    tell(`a change that 300 streams may not see: ${rounded(invisible - aloneInvisible, 1)} more transactions`)
    await open(streams - 300)
    await readers.ask({ what: 'begin' })
    const paced = await writePaced(12, change)
    const pacedReport = await readers.settled(paced.written)
    tell(`20 events a second: p50 ${delay(pacedReport, 0.5)}, p99 ${delay(pacedReport, 0.99)} ms`)

    await readers.ask({ what: 'begin' })
    const begun = Date.now()
    const flatOut = await writeFlatOut(world, ofWriters, 6)
    const report = await readers.settled(flatOut.written)
    const deliveries = report.deliveries / ((report.last - begun) / 1000)
    const bytes = Math.round(report.bytes / report.deliveries)
    const withStreams = world.service.memory()
    tell(`flat out: ${rounded(deliveries, 0)} deliveries a second, ${rounded(flatOut.rate, 0)} changes`)
    await readers.ask({ what: 'close' })

    await open(idle)
    await readers.ask({ what: 'begin' })
    const besideIdle = await writePaced(8, (_, agent) => openRoom(world, agent))
    const idleReport = await readers.ask({ what: 'report' })
    if (idleReport.deliveries > 0 || idleReport.broken > 0)
      throw new Error('The idle streams were told something, or ended.')
    const withIdle = world.service.memory()
    await readers.ask({ what: 'close' })

    const floor = { one_at_a_time: 0, ten_at_a_time: 0 }
    floor.one_at_a_time = await floorOf(readers, { streams, bytes, at_once: 1 })
    floor.ten_at_a_time = await floorOf(readers, { streams, bytes, at_once: 10 })
    const figures = {
      streams,
      writers,
      paced_20_a_second: {
        delay_ms: { p50: delay(pacedReport, 0.5), p99: delay(pacedReport, 0.99) },
        change_ms: latencies(paced.took),
        change_ms_alone: latencies(alonePaced.took),
      },
      flat_out: {
        changes_per_second: rounded(flatOut.rate, 0),
        changes_per_second_alone: rounded(aloneFlatOut.rate, 0),
        deliveries_per_second: rounded(deliveries, 0),
        delay_ms: { p50: delay(report, 0.5), p99: delay(report, 0.99) },
        bytes_per_event: bytes,
        floor_deliveries_per_second: floor,
      },
      invisible_change_beside_300_streams: {
        transactions: rounded(invisible, 1),
        transactions_alone: rounded(aloneInvisible, 1),
      },
      beside_idle_streams: { idle, change_ms: latencies(besideIdle.took) },
      memory_mib: { ...memory, with_streams: withStreams.now, with_idle: withIdle.now, peak: withIdle.peak },
    }
    console.log(JSON.stringify(figures, null, 2))
    tell(`written to ${writeResults('feed', figures)}`)
  } finally {
    readers.stop()
    await world.close()
  }
}

const latencies = (took: number[]) => ({
  p50: rounded(quantile(took, 0.5), 1),
  p99: rounded(quantile(took, 0.99), 1),
})

/** The delay below which a share of the deliveries lies. */
function delay({ deliveries, delays }: ReadersReport, share: number): number {
  let left = deliveries * share
  return delays.findIndex(count => (left -= count) <= 0)
}

interface Written {
  /** The number of changes, the duration of each, and the changes per second. */
  written: number
  took: number[]
  rate: number
}

/** A Room that is changed repeatedly. */
interface Target {
  room_id: string
  revision: number
}

/** Creates a Room that only the owner can see. */
async function openRoom(world: FeedWorld, agent: Agent): Promise<Target> {
  const text = await sendRequest(`${world.service.base_url}/v1/rooms`, agent, {
    method: 'POST',
    headers: changeHeaders(world.owner),
    body: JSON.stringify({ title: 'A Room' }),
  })
  return (JSON.parse(text) as { room: Target }).room
}

async function changeRoom(world: FeedWorld, agent: Agent, target: Target, change: object): Promise<void> {
  const text = await sendRequest(`${world.service.base_url}/v1/rooms/${target.room_id}`, agent, {
    method: 'PATCH',
    headers: changeHeaders(world.owner),
    body: JSON.stringify({ expected_revision: target.revision, ...change }),
  })
  target.revision = (JSON.parse(text) as { room: Target }).room.revision
}

/** Creates Rooms that everybody in the Workspace can see. */
async function sharedRooms(world: FeedWorld, count: number): Promise<Target[]> {
  const agent = new Agent({ keepAlive: true })
  const targets: Target[] = []
  for (let i = 0; i < count; i++) {
    const target = await openRoom(world, agent)
    await changeRoom(world, agent, target, { general_access: 'workspace', general_access_level: 'view' })
    targets.push(target)
  }
  agent.destroy()
  return targets
}

async function timed(change: Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await change
  return performance.now() - begun
}

/** Each writer has a Room of its own. */
async function writeFlatOut(world: FeedWorld, targets: Target[], seconds: number): Promise<Written> {
  const agent = new Agent({ keepAlive: true })
  const begun = performance.now()
  const took: number[] = []
  const writer = async (target: Target) => {
    while (performance.now() < begun + seconds * 1000)
      took.push(await timed(changeRoom(world, agent, target, { title: randomUUID() })))
  }
  await Promise.all(targets.map(writer))
  agent.destroy()
  return { written: took.length, took, rate: took.length / ((performance.now() - begun) / 1000) }
}

/** Makes twenty changes a second on a fixed schedule, whether or not earlier ones have been answered. */
async function writePaced(
  seconds: number,
  change: (i: number, agent: Agent) => Promise<unknown>,
): Promise<Written> {
  const agent = new Agent({ keepAlive: true })
  const begun = performance.now()
  const all: Promise<number>[] = []
  for (let i = 0; i < seconds * 20; i++) {
    await sleep(Math.max(0, begun + i * 50 - performance.now()))
    const timing = timed(change(i, agent))
    // The error is thrown below, when all have ended.
    timing.catch(() => undefined)
    all.push(timing)
  }
  const took = await Promise.all(all)
  agent.destroy()
  return { written: took.length, took, rate: took.length / seconds }
}

const windowMilliseconds = 3_000
const writesOfWindow = 10

/**
 * The transactions that a change causes which nobody else may see: those of an interval with changes, less those of one
 * without.
 */
async function transactionsOfWrites(world: FeedWorld): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const within = async (writes: number) => {
    const before = await transactions(world)
    const end = performance.now() + windowMilliseconds
    for (let i = 0; i < writes; i++) {
      await openRoom(world, agent)
      await sleep(windowMilliseconds / (writes + 1))
    }
    await sleep(Math.max(0, end - performance.now()))
    return (await transactions(world)) - before
  }
  const quiet = await within(0)
  const busy = await within(writesOfWindow)
  agent.destroy()
  return (busy - quiet) / writesOfWindow
}

/** PostgreSQL's counters lag by a second. */
async function transactions({ database }: FeedWorld): Promise<number> {
  await sleep(1_200)
  const { rows } = await database.query<{ count: string }>(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.count)
}

async function floorOf(
  readers: Readers,
  { streams, bytes, at_once }: { streams: number; bytes: number; at_once: number },
): Promise<number> {
  const floor = await startProcess(new URL('./feed-floor.ts', import.meta.url), {
    FLOOR: JSON.stringify({ bytes }),
  })
  try {
    await readers.open(
      floor.base_url,
      Array.from({ length: streams }, () => 'X: x'),
      '/stream',
    )
    await readers.ask({ what: 'begin' })
    const begun = Date.now()
    const agent = new Agent()
    const url = `${floor.base_url}/send?at_once=${at_once}&milliseconds=4000`
    const { sent } = JSON.parse(await sendRequest(url, agent, { method: 'POST' })) as { sent: number }
    const { deliveries, last } = await readers.settled(sent)
    await readers.ask({ what: 'close' })
    return rounded(deliveries / ((last - begun) / 1000), 0)
  } finally {
    await floor.stop()
  }
}
