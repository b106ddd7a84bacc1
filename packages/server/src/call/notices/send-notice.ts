import { lockExclusive } from '../../database/locks.ts'
import type { Transaction, WriterPool } from '../../database/connections/writer.ts'
import type { JobDraft, JobIdentity } from '../../jobs/job-kinds.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { sendJobs } from '../commands/send-jobs.ts'
import { isWithinBudget } from './mail-budget.ts'
import { giveToDigest, mailedInHour, noteNotice, noticeOfJob, takenByDigest } from './notice-store.ts'
import type { Notice, SendNotice, TakeHeldNotices } from './notice.ts'

interface Parts {
  writers: Pick<WriterPool, 'transaction'>
  jobs: Pick<Jobs, 'send'>
  mailer: Mailer
  now: () => Date
}

const hour = 3_600_000

/**
 * Mails notices within the budget of `mail-budget.ts`. It is counted in the database, under a lock, so it is exact on any number
 * of nodes. The mail is sent after the transaction; if that fails, the next attempt finds that its notice was counted.
 */
export const createSendNotice =
  ({ writers, jobs, mailer, now }: Parts): SendNotice =>
  async (notice, message, job) => {
    const { workspace_id } = notice
    const goesOut = await writers.transaction({ workspace_id, user_id: null }, async tx => {
      await lockNotices(tx, workspace_id)
      const noted = await noticeOfJob(tx, workspace_id, job.id)
      if (noted) return !noted.is_held
      const { has_digest, ...mailed } = await mailedInHour(tx, notice)
      const isHeld = !isWithinBudget(mailed)
      noteNotice(tx, notice, job.id, isHeld)
      if (isHeld && !has_digest) await sendJobs(tx, jobs, [digestJob(notice, now())], requestOf(job))
      return !isHeld
    })
    if (goesOut) await mailer.send(message, job.id)
  }

/** Takes what waits for a recipient. What is held back from now on waits for their next digest. */
export const createTakeHeldNotices =
  ({ writers }: Pick<Parts, 'writers'>): TakeHeldNotices =>
  (recipient, { id }) =>
    writers.transaction({ workspace_id: recipient.workspace_id, user_id: null }, async tx => {
      await lockNotices(tx, recipient.workspace_id)
      giveToDigest(tx, recipient, id)
      return takenByDigest(tx, recipient, id)
    })

const lockNotices = (tx: Transaction, workspace_id: string) =>
  lockExclusive(tx, workspace_id, [['notices', workspace_id]])

/** The digest says how much there was, so it comes when the hour is over. */
const digestJob = ({ workspace_id, recipient_user_id: user_id }: Notice, now: Date): JobDraft => ({
  kind: 'mail_digest',
  data: { workspace_id, user_id },
  due: new Date(now.getTime() + hour).toISOString(),
})

const requestOf = ({ cause }: JobIdentity) =>
  cause?.request_id === undefined ? {} : { request_id: cause.request_id }
