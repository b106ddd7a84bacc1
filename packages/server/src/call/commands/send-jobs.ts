import { createHash } from 'node:crypto'
import { nameParameters } from '../../database/parameters.ts'
import { madeStatement, type Statement } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { JobCause, JobDraft } from '../../jobs/job-kinds.ts'
import { JobsNotOpen, type Jobs } from '../../jobs/jobs.ts'
import { Unprepared } from './attempts.ts'

/**
 * Inserts the jobs of a change in its own transaction. Resolves once the inserts are sent; the commit waits for their
 * results. Throws Unprepared if the jobs are not open yet.
 */
export async function sendJobs(
  tx: Transaction,
  jobs: Pick<Jobs, 'send'>,
  drafts: readonly JobDraft[],
  cause?: JobCause,
): Promise<void> {
  if (drafts.length === 0) return
  const { promise: allSent, resolve } = Promise.withResolvers<void>()
  let sent = 0
  const taken = jobs.send(
    async (positional, inOrder = []) => {
      const { text, values } = nameParameters(positional, inOrder)
      const rows = tx.run(statementOf(text), values)
      if (++sent === drafts.length) resolve()
      return { rows: await rows }
    },
    drafts,
    cause,
  )
  await Promise.race([allSent, taken]).catch((error: unknown) => {
    throw error instanceof JobsNotOpen ? new Unprepared(error.open) : error
  })
  tx.include(taken)
}

/**
 * pg-boss has one text for each kind of job. A name derived from the text lets PostgreSQL prepare it like any other
 * statement.
 */
function statementOf(text: string): Statement<unknown, 'write'> {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return madeStatement({ name: `job_insert_${digest}`, text, access: 'write', connectionClass: 'default' })
}
