import { lockExclusive } from '../../database/locks.ts'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** Which of these contents a version names. */
export const namedContents = async (
  reader: Reader,
  workspace_id: string,
  sha256s: readonly string[],
): Promise<Set<string>> =>
  new Set((await reader.many(contentsNamed, { workspace_id, sha256s })).map(({ sha256 }) => sha256))

/** Locks a content, so that no change can begin to name it, and gives whether a version names it. */
export async function lockContent(tx: Transaction, workspace_id: string, sha256: string): Promise<boolean> {
  await lockExclusive(tx, workspace_id, [['blob', sha256]])
  return (await namedContents(tx, workspace_id, [sha256])).has(sha256)
}

/** Keeps that a content is being removed. False if somebody else is removing it. */
export const beginRemoval = async (tx: Transaction, workspace_id: string, sha256: string): Promise<boolean> =>
  (await tx.run(removalBegin, { workspace_id, sha256 })).length > 0

/** Keeps that the content was removed by now. */
export const endRemoval = (tx: Transaction, workspace_id: string, sha256: string): void =>
  tx.save(removalEnd, { workspace_id, sha256 })

/** Removals that began long ago and did not end. Those that ended long ago are forgotten. */
export async function tidyRemovals(tx: Transaction, workspace_id: string): Promise<string[]> {
  tx.save(removalsForget, { workspace_id })
  return (await tx.many(removalsLeft, { workspace_id })).map(({ sha256 }) => sha256)
}

/** The uploads among these that have a row, with their status. */
export const uploadStatuses = async (
  reader: Reader,
  workspace_id: string,
  upload_ids: readonly string[],
): Promise<Map<string, string>> => {
  const rows = await reader.many(statusesOfUploads, { workspace_id, upload_ids })
  return new Map(rows.map(({ upload_id, status }) => [upload_id, status]))
}

const contentsNamed = read<{ sha256: string }>(
  'contents_named',
  `select asked.sha256 from unnest(:sha256s::text[]) as asked (sha256)
   where exists (select from file_versions v where v.workspace_id = :workspace_id and v.sha256 = asked.sha256 offset 0)`,
)

const statusesOfUploads = read<{ upload_id: string; status: string }>(
  'upload_statuses',
  `select u.id as upload_id, u.status from file_uploads u where u.workspace_id = :workspace_id and u.id = any (:upload_ids::text[])`,
)

const removalBegin = write(
  'content_removal_begin',
  `insert into content_removals as r (workspace_id, sha256, began_at) values (:workspace_id, :sha256, statement_timestamp())
   on conflict (workspace_id, sha256) do update set began_at = excluded.began_at, ended_at = null
     where r.ended_at is not null or r.began_at < statement_timestamp() - interval '1 hour'
   returning 1`,
)

const removalEnd = write(
  'content_removal_end',
  'update content_removals set ended_at = statement_timestamp() where workspace_id = :workspace_id and sha256 = :sha256 and ended_at is null',
)

const removalsLeft = read<{ sha256: string }>(
  'content_removals_left',
  `select sha256 from content_removals
   where workspace_id = :workspace_id and ended_at is null and began_at < statement_timestamp() - interval '1 hour'`,
)

const removalsForget = write(
  'content_removals_forget',
  `delete from content_removals where workspace_id = :workspace_id and ended_at < statement_timestamp() - interval '1 day'`,
)
