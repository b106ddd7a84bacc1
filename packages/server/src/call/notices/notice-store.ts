import { read, write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { mostInRoom, type MailedInHour } from './mail-budget.ts'
import type { HeldNotices, Notice } from './notice.ts'

/** Whether the notice of a job was held back; undefined if the job is new. */
export const noticeOfJob = (
  tx: Transaction,
  workspace_id: string,
  job_id: string,
): Promise<{ is_held: boolean } | undefined> => tx.one(noticeByJob, { workspace_id, job_id })

/** What counts for a notice, and whether the recipient has a digest to come. */
export async function mailedInHour(
  tx: Transaction,
  { workspace_id, sender_user_id, recipient_user_id, room_id }: Notice,
): Promise<MailedInHour & { has_digest: boolean }> {
  const values = { workspace_id, sender_user_id, recipient_user_id, room_id, most_in_room: mostInRoom }
  return (await tx.one(countsInHour, values)) as MailedInHour & { has_digest: boolean }
}

/** Notes a notice that goes out or is held back, and forgets old ones. */
export function noteNotice(tx: Transaction, notice: Notice, job_id: string, is_held: boolean): void {
  const { workspace_id, sender_user_id, recipient_user_id, room_id, about, things } = notice
  tx.save(oldForget, { workspace_id })
  tx.save(noticeInsert, {
    workspace_id,
    job_id,
    sender_user_id,
    recipient_user_id,
    room_id,
    about,
    things,
    is_held,
  })
}

/** Gives what waits for a recipient to a digest, unless it has taken something before. */
export const giveToDigest = (
  tx: Transaction,
  { workspace_id, recipient_user_id }: Pick<Notice, 'workspace_id' | 'recipient_user_id'>,
  digest_id: string,
): void => tx.save(heldTake, { workspace_id, recipient_user_id, digest_id })

/** What a digest has taken. */
export const takenByDigest = (
  tx: Transaction,
  { workspace_id, recipient_user_id }: Pick<Notice, 'workspace_id' | 'recipient_user_id'>,
  digest_id: string,
): Promise<HeldNotices[]> => tx.many(heldOfDigest, { workspace_id, recipient_user_id, digest_id })

const noticeByJob = read<{ is_held: boolean }>(
  'mail_notice_of_job',
  'select is_held from mail_notices where workspace_id = :workspace_id and job_id = :job_id',
)

const inHourSql = `not is_held and noted_at > clock_timestamp() - interval '1 hour'`

const countsInHour = read<MailedInHour & { has_digest: boolean }>(
  'mail_notices_in_hour',
  `with sent as materialized (
     select recipient_user_id, room_id from mail_notices
     where workspace_id = :workspace_id and sender_user_id = :sender_user_id and ${inHourSql}
   ), got as materialized (
     select least(count(*), :most_in_room) as counted from mail_notices
     where workspace_id = :workspace_id and recipient_user_id = :recipient_user_id and ${inHourSql} group by sender_user_id
   )
   select count(*)::integer as of_sender,
     (count(*) filter (where recipient_user_id = :recipient_user_id))::integer as to_recipient,
     (count(*) filter (where recipient_user_id = :recipient_user_id and room_id is not distinct from :room_id))::integer as in_room,
     (select coalesce(sum(counted), 0)::integer from got) as of_recipient,
     exists (
       select from mail_notices
       where workspace_id = :workspace_id and recipient_user_id = :recipient_user_id and is_held and digest_id is null) as has_digest
   from sent`,
)

const noticeInsert = write(
  'mail_notice_insert',
  `insert into mail_notices
     (workspace_id, job_id, sender_user_id, recipient_user_id, room_id, about, things, is_held, noted_at)
   values (:workspace_id, :job_id, :sender_user_id, :recipient_user_id, :room_id, :about, :things, :is_held, clock_timestamp())`,
)

// A job of a digest is due within an hour, and tried again for less than a day.
const oldForget = write(
  'mail_notices_forget',
  `delete from mail_notices where workspace_id = :workspace_id and noted_at < clock_timestamp() - interval '2 days'`,
)

const heldTake = write(
  'mail_notices_take',
  `update mail_notices set digest_id = :digest_id
   where workspace_id = :workspace_id and recipient_user_id = :recipient_user_id and is_held and digest_id is null
     and not exists (
       select from mail_notices taken
       where taken.workspace_id = :workspace_id and taken.recipient_user_id = :recipient_user_id and taken.is_held and taken.digest_id = :digest_id)`,
)

const heldOfDigest = read<HeldNotices>(
  'mail_notices_of_digest',
  `select room_id, about, sum(things)::integer as things from mail_notices
   where workspace_id = :workspace_id and recipient_user_id = :recipient_user_id and is_held and digest_id = :digest_id
   group by room_id, about order by sum(things) desc, room_id, about`,
)
