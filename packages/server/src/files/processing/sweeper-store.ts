import { lockExclusive } from '../../database/locks.ts'
import { read, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** Which of these contents a version names. */
export const namedContents = async (
  reader: Reader,
  workspace_id: string,
  sha256s: readonly string[],
): Promise<Set<string>> =>
  new Set((await reader.many(contentsNamed, [workspace_id, sha256s])).map(({ sha256 }) => sha256))

/** Locks a content, so that no change can begin to name it, and gives whether a version names it. */
export async function lockContent(tx: Transaction, workspace_id: string, sha256: string): Promise<boolean> {
  await lockExclusive(tx, workspace_id, [['blob', sha256]])
  return (await namedContents(tx, workspace_id, [sha256])).has(sha256)
}

/** The uploads among these that have a row, with their status. */
export const uploadStatuses = async (
  reader: Reader,
  workspace_id: string,
  upload_ids: readonly string[],
): Promise<Map<string, string>> => {
  const rows = await reader.many(statusesOfUploads, [workspace_id, upload_ids])
  return new Map(rows.map(({ upload_id, status }) => [upload_id, status]))
}

const contentsNamed = read<{ sha256: string }>(
  'contents_named',
  `select asked.sha256 from unnest($2::text[]) as asked (sha256)
   where exists (select from file_versions v where v.workspace_id = $1 and v.sha256 = asked.sha256 offset 0)`,
)

const statusesOfUploads = read<{ upload_id: string; status: string }>(
  'upload_statuses',
  `select u.id as upload_id, u.status from file_uploads u where u.workspace_id = $1 and u.id = any ($2::text[])`,
)
