import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { ofOperators, writeResults } from '../../bench/results.ts'
import { startFollowers } from '../load/followers.ts'
import { startLoad } from '../load/load.ts'
import type { FailedAttempt } from '../load/records.ts'
import { startTransfers } from '../load/transfers.ts'
import { faultsOf, verifyInDatabase, verifyOverHttp } from '../load/verify.ts'
import { makeWorkspaces } from '../load/workspaces.ts'
import { startDatabase } from '../nodes/database.ts'
import { startedParts } from '../nodes/stack.ts'
import { prepareNodes } from '../nodes/nodes.ts'
import { startProxy } from './proxy.ts'

/**
 * Two nodes behind HAProxy, restarted one after the other in `--rounds N` under a load of changes, reads, uploads,
 * downloads and streams: no request fails, and nothing that was acknowledged is lost or doubled. `--drain S` is the
 * SVC_DRAIN_SECONDS of the nodes. docs/guides/scaling.md says what happens.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    drain: { type: 'string', default: '3' },
    port: { type: 'string', default: '23000' },
  },
})
const port = Number(values.port)
const ports = [port + 1, port + 2] as const
await using running = startedParts()
const database = await startDatabase(running, { max_connections: '100' })
const base_url = `http://127.0.0.1:${port}`
const prepared = await prepareNodes(running, database, {
  SVC_PUBLIC_URL: base_url,
  SVC_DRAIN_SECONDS: values.drain,
})
const nodes = [await prepared.start(ports[0], { SVC_SAMPLE_DATA: 'on' }), await prepared.start(ports[1])]
running.defer(async () => void (await Promise.all(nodes.map(node => node.stop()))))
const proxy = await startProxy(running, port, ports)
await proxy.untilReady(2)

const workspaces = await makeWorkspaces(base_url, prepared.access_token, 4)
const followers = await startFollowers(base_url, workspaces, 5)
const transfers = startTransfers(base_url, workspaces.slice(0, 2), 20 * 2 ** 20)
const load = startLoad({ base_url, workspaces, pause: 50 })
await sleep(3000)

const restarts: { node: number; stopped_ms: number; started_ms: number }[] = []
for (let round = 0; round < Number(values.rounds); round++)
  for (const [number, port] of ports.entries()) {
    const begun = performance.now()
    await nodes[number]?.stop()
    const stopped = performance.now()
    nodes[number] = await prepared.start(port)
    await proxy.untilReady(2)
    restarts.push({
      node: number + 1,
      stopped_ms: Math.round(stopped - begun),
      started_ms: Math.round(performance.now() - stopped),
    })
    await sleep(2000)
  }

const report = await load.stop()
const moved = await transfers.stop()
const findings = [
  await verifyInDatabase(report, database.address),
  await verifyOverHttp(report, base_url, workspaces),
] as const
const followed = await followers.stop(database.address)
const counted = await proxy.totals()
const attempts = [...report.attempts, ...moved.attempts, ...followed.attempts]
const { uploads, downloads } = moved
console.table({ changes: report.changes, reads: report.reads, uploads, downloads })
console.table(restarts)
const faults = [
  ...faultsOf(...findings),
  ...report.unanswered.map(({ idempotency_key, error }) => `${idempotency_key}: ${error}`),
  ...report.failed_reads,
  ...report.stale_reads.map(read => `a stale read: ${JSON.stringify(read)}`),
  ...attempts.map(shown),
  ...(moved.damaged > 0 ? [`${moved.damaged} contents came back otherwise`] : []),
  ...(followed.missed + followed.doubled > 0 ? [`events: ${JSON.stringify(followed)}`] : []),
]
const figures = {
  drain_seconds: Number(values.drain),
  restarts,
  changes: report.changes,
  reads: report.reads,
  uploads,
  downloads,
  streams: { ...followed, attempts: followed.attempts.length },
  proxy: counted,
  verified: findings.map(({ lost, doubled, ...rest }) => ({
    ...rest,
    lost: lost.length,
    doubled: doubled.length,
  })),
  failed_requests: Object.fromEntries(
    Map.groupBy(attempts, shown)
      .entries()
      .map(([what, all]) => [what, all.length]),
  ),
}
console.log(JSON.stringify(figures, null, 2))
for (const fault of new Set(faults)) console.error(fault)
console.error(
  `# written to ${writeResults(Number(values.drain) > 0 ? 'two-nodes' : 'two-nodes-without-drain', figures, ofOperators)}`,
)
if (faults.length > 0) process.exitCode = 1

function shown({ operation, status, reason }: FailedAttempt): string {
  return `${operation}: ${status ?? 'no answer'} ${reason}`
}
