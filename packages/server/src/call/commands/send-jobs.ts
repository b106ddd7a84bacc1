import { createHash } from 'node:crypto'
import type { Statement } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { Jobs } from '../../jobs/jobs.ts'

/** Writes the jobs of a change down in its own transaction. Resolves once they are sent: the commit waits for the rest. */
export async function sendJobs(
  tx: Transaction,
  jobs: Pick<Jobs, 'send'>,
  drafts: readonly JobDraft[],
): Promise<void> {
  if (drafts.length === 0) return
  const { promise: allSent, resolve } = Promise.withResolvers<void>()
  let sent = 0
  const taken = jobs.send(async (text, values = []) => {
    const rows = tx.run(statementOf(text), values)
    if (++sent === drafts.length) resolve()
    return { rows: await rows }
  }, drafts)
  await Promise.race([allSent, taken])
  tx.include(taken)
}

/** The text is the library's, one for each kind of job: under a name of its own it is prepared like any other. */
function statementOf(text: string): Statement<unknown, 'write'> {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return { name: `job_insert_${digest}`, text, access: 'write', connectionClass: 'default' }
}
