import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWithDatabase } from '../../bench/mutations/mutations-services.ts'
import { startLoad } from './load.ts'
import { faultsOf, verifyInDatabase, verifyOverHttp } from './verify.ts'
import { makeWorkspaces } from './workspaces.ts'

/**
 * The load on one service of its own, for `--seconds S`, with `--changers N` and `--readers N`: its figures, and the
 * verification. The other scripts run the same load on what they start.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    changers: { type: 'string', default: '8' },
    readers: { type: 'string', default: '8' },
  },
})
await using running = new AsyncDisposableStack()
const { service, address } = await startWithDatabase(running)
const { base_url, owner } = service
const workspaces = await makeWorkspaces(base_url, owner.access_token, 4)
const load = startLoad({
  base_url,
  workspaces,
  changers: Number(values.changers),
  readers: Number(values.readers),
})
await sleep(Number(values.seconds) * 1000)
const report = await load.stop()
const findings = [
  await verifyInDatabase(report, address),
  await verifyOverHttp(report, base_url, workspaces),
] as const
console.table({ changes: report.changes, reads: report.reads })
console.log(
  JSON.stringify({ findings, stale_reads: report.stale_reads.length, failed: report.attempts }, null, 2),
)
if (faultsOf(...findings).length > 0) process.exitCode = 1
