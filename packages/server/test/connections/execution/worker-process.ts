// A node that carries out approvals, as a process of its own, so that a test can kill it at any moment.
import pino from 'pino'
import { createSystemChange } from '../../../src/call/system-change.ts'
import { expireApproval } from '../../../src/connections/approvals/expire-approval.ts'
import { executeApproval } from '../../../src/connections/execution/execute-approval.ts'
import type { DatabaseAddress } from '../../../src/database/connections/connection.ts'
import { jobsWriterConfig, openPools } from '../../../src/database/database.ts'
import { jobKinds, type JobHandlers } from '../../../src/jobs/job-kinds.ts'
import { createJobs } from '../../../src/jobs/jobs.ts'
import type { Plugin } from '../../../src/plugins/plugin.ts'
import { createTestApp } from '../../harness/test-app.ts'
import { paceOfWorkers, type WorkerOrder } from './worker-order.ts'

const { address, app_url } = JSON.parse(String(process.argv[2])) as WorkerOrder & { address: DatabaseAddress }
const log = pino({ level: 'silent' })
const database = openPools(address, log)
const jobs = createJobs({ connection: jobsWriterConfig(address), log, pace: paceOfWorkers })
const change = createSystemChange(database.writers, () => new Date(), jobs)

/** Asks the app of the test, which counts. */
const plugin: Plugin = {
  ...createTestApp(),
  async call({ idempotency_key, signal }) {
    const response = await fetch(app_url, { method: 'POST', body: String(idempotency_key), signal })
    return { outcome: 'succeeded', output: await response.json() }
  },
}

const nothing = Object.fromEntries(jobKinds.map(kind => [kind, () => Promise.resolve()]))
jobs.work({
  ...(nothing as unknown as JobHandlers),
  execute_approval: executeApproval({ plugins: new Map([[plugin.name, plugin]]), change }),
  expire_approval: expireApproval({ change }),
})
process.stdout.write('working\n')
