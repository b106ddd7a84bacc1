import { newId, newUnorderedId, type Id } from '@wbs/contract/ids'
import type { TestService } from '../harness/service.ts'

/** A row of files with its first version. Default: a Markdown File that is ready, by a member. */
export interface FileFacts {
  name?: string
  business_id?: string
  processing_status?: 'pending_upload' | 'processing' | 'ready' | 'failed'
}

/** Inserts a File directly. A creator who is a member has full access to it as long as that membership lasts. */
export async function addFile(
  service: Pick<TestService, 'sql'>,
  workspace_id: string,
  by: { user_id: string },
  { name = 'Memorandum.md', business_id, processing_status = 'ready' }: FileFacts = {},
): Promise<Id<'fil'>> {
  const [file_id, file_version_id] = [newUnorderedId('fil', Date.now()), newId('fvr')]
  await service.sql(
    `with file as (
       insert into files (workspace_id, id, business_id, name, classification, origin, current_version_id, created_by, membership_id, created_at, updated_at)
       select $1, $2, $3, $4, 'other', 'text', $5, $6, (
         select m.id from memberships m where m.workspace_id = $1 and m.user_id = $6 and m.status = 'active'), now(), now()
     )
     insert into file_versions (workspace_id, id, file_id, number, content_type, size_bytes, sha256, processing_status,
       processing_error, is_text, created_by, created_at, ready_at)
     values ($1, $5, $2, 1, 'text/markdown', 5, case when $7 <> 'pending_upload' then repeat('ab', 32) end, $7,
       case when $7 = 'failed' then 'unreadable' end, true, $6, now(), case when $7 = 'ready' then now() end)`,
    [workspace_id, file_id, business_id ?? null, name, file_version_id, by.user_id, processing_status],
  )
  return file_id
}

/** Sets the status of the current version of a File. */
export const setProcessing = (
  service: Pick<TestService, 'sql'>,
  file_id: string,
  processing_status: 'processing' | 'ready',
) =>
  service.sql(
    `update file_versions set processing_status = $2, sha256 = coalesce(sha256, repeat('ab', 32)), processing_error = null,
       ready_at = case when $2 = 'ready' then now() end where file_id = $1`,
    [file_id, processing_status],
  )
