import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../load/load.ts'
import type { LoadReport } from '../load/records.ts'
import type { LoadWorkspace } from '../load/workspaces.ts'
import { faultsOf, verifyInDatabase } from '../load/verify.ts'
import type { Cluster } from './cluster.ts'
import { eventOf, type EventName } from './events.ts'
import { startProbe, type ProbeAnswer } from './probe.ts'

export interface Round {
  event: EventName
  /** Who led before and after. */
  leaders: [string, string]
  /** From the event to the first acknowledgement of a change that was asked after it. */
  seconds_until_acknowledged: number
  /** The longest time in which no change was acknowledged to anybody. */
  longest_pause_seconds: number
  /** From that acknowledgement until all members stream again, the one of the event as a standby. */
  seconds_until_whole: number
  acknowledged: number
  /** Answers of 503, as they must be, to the probe. */
  unavailable: number
  /** The longest wait for an answer, in milliseconds. */
  slowest_ms: { unavailable: number; any: number }
  /** Answers that clients should not get. */
  wrong: string[]
  lost_or_doubled: string[]
}

interface World {
  cluster: Cluster
  base_urls: readonly string[]
  workspaces: readonly LoadWorkspace[]
}

/** Brings the event about under load, and waits until the cluster is whole again. */
export async function runRound(
  { cluster, base_urls, workspaces }: World,
  name: EventName,
): Promise<{ round: Round; report: LoadReport }> {
  const place = workspaces[0] as LoadWorkspace
  const loads = base_urls.map(base_url =>
    startLoad({ base_url, workspaces, changers: 4, readers: 2, pause: 20 }),
  )
  const probe = startProbe(base_urls, place)
  await sleep(2000)
  const before = await cluster.leader()
  const scene = { cluster, leader: before, standby: await cluster.synchronousStandby() }
  const { begin, end, lasts_ms = 2000 } = eventOf(name)
  const at = Date.now()
  await begin(scene)
  const first = await firstAcknowledged(probe, at)
  const back = first.at + first.milliseconds
  const leader = await eventually(() => cluster.leader())
  await sleep(lasts_ms)
  end(scene)
  await cluster.settled()
  const whole = Date.now()
  await sleep(1000)
  const probed = await probe.stop()
  const reports = await Promise.all(loads.map(load => load.stop()))
  const report = merged([...reports, probed])
  const findings = await verifyInDatabase(report, { connectionString: cluster.database_url })
  const unavailable = probe.answers.filter(({ status }) => status === 503)
  const slowest = (answers: readonly ProbeAnswer[]) =>
    Math.max(0, ...answers.map(answer => answer.milliseconds))
  return {
    report,
    round: {
      event: name,
      leaders: [before.name, leader.name],
      seconds_until_acknowledged: (back - at) / 1000,
      longest_pause_seconds: longestPause(report, at),
      seconds_until_whole: (whole - back) / 1000,
      acknowledged: report.acknowledged.length,
      unavailable: unavailable.length,
      slowest_ms: { unavailable: slowest(unavailable), any: slowest(probe.answers) },
      wrong: [...probe.answers.flatMap(wrongProbe), ...reports.flatMap(wrongAttempts)],
      lost_or_doubled: faultsOf(findings),
    },
  }
}

/** In seconds, from the last acknowledgement before the moment on. */
function longestPause({ acknowledged }: LoadReport, at: number): number {
  const moments = acknowledged.map(change => change.acknowledged_at).sort((a, b) => a - b)
  const pauses = moments.map((moment, position) =>
    moment < at ? 0 : moment - (moments[position - 1] ?? moment),
  )
  return Math.max(...pauses) / 1000
}

async function firstAcknowledged(probe: ReturnType<typeof startProbe>, at: number): Promise<ProbeAnswer> {
  for (const end = Date.now() + 180_000; Date.now() < end; await sleep(50)) {
    const first = probe.acknowledgedAfter(at)
    if (first) return first
  }
  throw new Error('No change was acknowledged in three minutes.')
}

async function eventually<T>(look: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 60_000; ; await sleep(250))
    try {
      return await look()
    } catch (error) {
      if (Date.now() > end) throw error
    }
}

/** How long an answer may take that says only that the client should try again. */
const patience = 10_000

function wrongProbe({
  kind,
  status,
  reason,
  retry_after,
  content_type,
  milliseconds,
}: ProbeAnswer): string[] {
  const isProblem =
    content_type?.startsWith('application/problem+json') && /^[1-9]\d*$/.test(retry_after ?? '')
  const isFine = status !== null && status < 300
  const isRefusal = status === 503 && isProblem && kind !== 'health'
  if ((isFine || isRefusal) && milliseconds <= patience) return []
  return [`${kind}: ${status} ${reason} after ${milliseconds} ms, Retry-After ${retry_after}`]
}

/** The load repeats a change with its key, so it may also be told that the first request is still in progress. */
const wrongAttempts = ({ attempts, unanswered, failed_reads }: LoadReport): string[] => [
  ...attempts
    .filter(
      ({ status, reason }) => status !== 503 && !(status === 409 && reason === 'idempotency_in_progress'),
    )
    .map(
      ({ operation, status, reason, milliseconds }) =>
        `${operation}: ${status} ${reason} after ${milliseconds} ms`,
    ),
  ...unanswered.map(({ operation, error }) => `${operation}: never answered, ${error}`),
  ...failed_reads.map(error => `a read was never answered: ${error}`),
]

type Changes = Pick<LoadReport, 'acknowledged' | 'unanswered'>

/** The changes of several reports in one, for a verification. */
export const merged = (reports: readonly Changes[]): LoadReport =>
  ({
    ...reports[0],
    acknowledged: reports.flatMap(report => report.acknowledged),
    unanswered: reports.flatMap(report => report.unanswered),
  }) as LoadReport
