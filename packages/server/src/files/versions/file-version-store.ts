import { newId, type Id } from '@wbs/contract/ids'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { versionSql, type OpenedFile, type VersionRow } from '../file-store.ts'

/** A version of a File. */
export const versionById = async (
  reader: Reader,
  workspace_id: string,
  named: { file_id: string; file_version_id: string },
): Promise<VersionRow | undefined> =>
  (
    await reader.one(versionOfFile, {
      workspace_id,
      file_id: named.file_id,
      file_version_id: named.file_version_id,
    })
  )?.version

/** A page of the versions of a File, the newest first, from before a version on. */
export const versionsPage = async (
  reader: Reader,
  workspace_id: string,
  file_id: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<VersionRow[]> =>
  (await reader.many(versionsOfFile, { workspace_id, file_id, before, limit })).map(({ version }) => version)

/** Inserts a new version with the content of an earlier one, which is ready, and the text that was found in it. */
export function copyVersion(
  tx: Transaction,
  { user_id }: { user_id: string },
  file: OpenedFile<'edit'>,
  earlier: VersionRow,
  now: Date,
): VersionRow {
  const file_version_id: Id<'fvr'> = newId('fvr', now.getTime())
  const { workspace_id, next_version_number } = file
  tx.save(versionCopy, {
    workspace_id,
    from_version_id: earlier.file_version_id,
    file_version_id,
    number: next_version_number,
    created_by: user_id,
    now,
  })
  tx.save(pagesCopy, { workspace_id, from_version_id: earlier.file_version_id, file_version_id })
  const at = now.toISOString()
  return { ...earlier, file_version_id, version_number: next_version_number, created_at: at, ready_at: at }
}

const versionOfFile = read<{ version: VersionRow }>(
  'file_version',
  `select ${versionSql('v')} as version from file_versions v where v.workspace_id = :workspace_id and v.file_id = :file_id and v.id = :file_version_id`,
)

const versionsOfFile = read<{ version: VersionRow }>(
  'file_versions',
  `select ${versionSql('v')} as version from file_versions v
   where v.workspace_id = :workspace_id and v.file_id = :file_id and (:before::text is null or v.number < (
     select last.number from file_versions last where last.workspace_id = :workspace_id and last.file_id = :file_id and last.id = :before))
   order by v.number desc limit :limit`,
  'long',
)

const versionCopy = write(
  'file_version_copy',
  `insert into file_versions (workspace_id, id, file_id, number, content_type, size_bytes, sha256, processing_status, is_text,
     summary, text_status, page_count, created_by, created_at, ready_at)
   select :workspace_id, :file_version_id, file_id, :number, content_type, size_bytes, sha256, 'ready', is_text, summary, text_status, page_count, :created_by, :now, :now
   from file_versions where workspace_id = :workspace_id and id = :from_version_id`,
)

const pagesCopy = write(
  'file_pages_copy',
  `insert into file_pages (workspace_id, file_version_id, page, text)
   select workspace_id, :file_version_id, page, text from file_pages where workspace_id = :workspace_id and file_version_id = :from_version_id`,
)
