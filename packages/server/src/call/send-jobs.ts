import { createHash } from 'node:crypto'
import type { Statement } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { JobDraft } from '../jobs/job-kinds.ts'
import type { Jobs } from '../jobs/jobs.ts'

/** Writes the jobs of a change down in its own transaction. */
export const sendJobs = (
  tx: Transaction,
  jobs: Pick<Jobs, 'send'>,
  drafts: readonly JobDraft[],
): Promise<void> =>
  jobs.send(async (text, values = []) => ({ rows: await tx.run(statementOf(text), values) }), drafts)

/** The text is the library's, one for each kind of job: under a name of its own it is prepared like any other. */
function statementOf(text: string): Statement<unknown, 'write'> {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return { name: `job_insert_${digest}`, text, access: 'write', line: 'usual' }
}
