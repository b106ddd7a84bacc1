import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startService } from '../../bench/mutations/mutations-services.ts'
import { quantile } from '../../bench/quantiles.ts'
import type { LoadReport } from '../load/records.ts'
import { startFollowers, type FollowersReport } from '../load/followers.ts'
import { faultsOf, verifyInDatabase, verifyOverHttp } from '../load/verify.ts'
import { makeWorkspaces } from '../load/workspaces.ts'
import { startCluster } from './cluster.ts'
import { ofOperators, writeResults } from '../../bench/results.ts'
import { secondsUntilMailed } from './mail-job.ts'
import { readPlan } from './plan.ts'
import { merged, runRound, type Round } from './rounds.ts'

/**
 * Three PostgreSQL under Patroni, and two nodes of the service with their load; plan.ts has the options. Checks after
 * each event, and at the end over all of them, that no acknowledged change is lost or doubled.
 */
const plan = readPlan(process.argv.slice(2))
const planned = plan.events

const tell = (line: string) => console.error(`# ${line}`)
const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url))

/** Ends what was started, also when the script is interrupted. */
await using running = new AsyncDisposableStack()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void running.disposeAsync().finally(() => process.exit(1)))

const cluster = await startCluster(plan)
running.defer(() => cluster.close())
tell(
  `the cluster is up: ${(await cluster.leader()).name} leads, ${(await cluster.synchronousStandby()).name} is its synchronous standby`,
)
const folder = await mkdtemp(join(tmpdir(), 'wbs-nodes-'))
running.defer(() => rm(folder, { recursive: true, force: true }))
const nodes = []
for (const name of ['a', 'b']) {
  const node = await startService(main, join(folder, name), {
    DATABASE_URL: cluster.database_url,
    LOG_LEVEL: 'error',
    RATE_LIMIT_SCALE: '1000',
  })
  running.defer(() => node.stop())
  nodes.push(node)
}
const base_urls = nodes.map(node => node.base_url)
const [first] = nodes
if (!first) throw new Error('No node was started.')
const workspaces = await makeWorkspaces(first.base_url, first.owner.access_token, 4)

const followers = await startFollowers(first.base_url, workspaces, 2)

const rounds: Round[] = []
const reports: LoadReport[] = []
for (const [number, event] of planned.entries()) {
  const { round, report } = await runRound({ cluster, base_urls, workspaces }, event)
  rounds.push(round)
  reports.push(report)
  tell(`${number + 1} of ${planned.length}: ${JSON.stringify(round)}`)
}

const owner = {
  base_url: first.base_url,
  access_token: first.owner.access_token,
  workspace_id: workspaces[0]?.workspace_id ?? '',
}
const seconds_until_job_ran = await secondsUntilMailed(
  owner,
  ['a', 'b'].map(name => join(folder, name)),
)
const all = merged(reports)
const address = { connectionString: cluster.database_url }
const findings = [
  await verifyInDatabase(all, address),
  await verifyOverHttp(all, first.base_url, workspaces),
] as const
const streamed = await followers.stop(address)
const faults = [
  ...faultsOf(...findings),
  ...streamFaults(streamed),
  ...rounds.flatMap(({ wrong, lost_or_doubled }) => [...wrong, ...lost_or_doubled]),
]
const figures = {
  events: Object.fromEntries(
    [...new Set(planned)].map(event => [event, summary(rounds.filter(round => round.event === event))]),
  ),
  acknowledged: all.acknowledged.length,
  unanswered: findings[0].unanswered,
  seconds_until_job_ran,
  streams: { ...streamed, attempts: streamed.attempts.length },
  faults,
  rounds,
}
console.table(
  rounds.map(
    ({
      event,
      leaders,
      seconds_until_acknowledged,
      longest_pause_seconds,
      seconds_until_whole,
      acknowledged,
      unavailable,
      slowest_ms,
    }) => ({
      event,
      leaders: leaders.join(' → '),
      seconds_until_acknowledged,
      longest_pause_seconds,
      seconds_until_whole,
      acknowledged,
      unavailable,
      slowest_503_ms: slowest_ms.unavailable,
    }),
  ),
)
console.table(figures.events)
console.log(
  `${streamed.streams} streams received ${streamed.received} events; ${streamed.missed} were missed, ${streamed.doubled} doubled.`,
)
console.log(`A job ran ${seconds_until_job_ran.toFixed(1)} s after it was sent, at the end.`)
console.log(`${all.acknowledged.length} changes were acknowledged; ${faults.length} faults.`)
for (const fault of faults.slice(0, 20)) console.log(fault)
if (plan.isWhole) tell(`written to ${writeResults('patroni', figures, ofOperators)}`)
if (faults.length > 0) process.exitCode = 1

/** A stream that was cut off is opened again where it was, and may be told to try again later. */
function streamFaults({ missed, doubled, attempts }: FollowersReport): string[] {
  const refused = attempts.filter(({ status }) => status !== 503)
  return [
    ...(missed + doubled > 0 ? [`streams: ${missed} events missed, ${doubled} doubled`] : []),
    ...refused.map(({ status, reason }) => `a stream: ${status} ${reason}`),
  ]
}

function summary(rounds: readonly Round[]) {
  const seconds = rounds.map(round => round.seconds_until_acknowledged)
  const pauses = rounds.map(round => round.longest_pause_seconds)
  return {
    rounds: rounds.length,
    min_s: quantile(seconds, 0),
    median_s: quantile(seconds, 0.5),
    max_s: quantile(seconds, 1),
    median_pause_s: quantile(pauses, 0.5),
    max_pause_s: quantile(pauses, 1),
    slowest_503_ms: Math.max(0, ...rounds.map(round => round.slowest_ms.unavailable)),
    lost_or_doubled: rounds.flatMap(round => round.lost_or_doubled).length,
  }
}
