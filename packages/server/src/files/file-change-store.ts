import type { Classification } from '@wbs/contract/files/files'
import { newId, newUnorderedId, type Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { updateRevision, write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { FileRow, OpenedFile, VersionRow } from './file-store.ts'

/** The content of a new version: stored, or announced for an upload. */
export type NewContent = { content_type: string; size_bytes: number } & (
  | { stored: { sha256: string; is_text: boolean; summary: string | null } }
  | { announced_sha256: string | null }
)

export interface NewFile {
  workspace_id: string
  /** The creator, and their membership; null for a guest. */
  user_id: string
  membership_id: string | null
  /** The level that the creator has on it. */
  access_level: AccessLevel
  business_id: Id<'biz'> | null
  name: string
  description: string | null
  classification: Classification
  tags: string[]
  origin: 'text' | 'upload'
  content: NewContent
}

/** Inserts a File with its first version. */
export function insertFile(tx: Transaction, file: NewFile, now: Date): FileRow {
  const { workspace_id, user_id, membership_id, content, ...described } = file
  const { business_id, name, description, classification, tags, origin } = described
  const file_id = newUnorderedId('fil', now.getTime())
  const file_version_id = newId('fvr', now.getTime())
  tx.save(fileInsert, {
    workspace_id,
    file_id,
    business_id,
    name,
    description,
    classification,
    tags,
    origin,
    file_version_id,
    created_by: user_id,
    membership_id,
    now,
  })
  const current_version = insertVersion(
    tx,
    { workspace_id, file_id, file_version_id, number: 1, user_id },
    content,
    now,
  )
  const at = now.toISOString()
  return {
    workspace_id,
    file_id,
    ...described,
    lifecycle: 'active',
    current_version,
    revision: 1,
    created_at: at,
    updated_at: at,
    archived_at: null,
  }
}

/** Inserts a version of a File: ready if its content is stored, waiting for the upload otherwise. */
export function insertVersion(
  tx: Transaction,
  of: { workspace_id: string; file_id: string; file_version_id: Id<'fvr'>; number: number; user_id: string },
  content: NewContent,
  now: Date,
): VersionRow {
  const { content_type, size_bytes } = content
  const stored = 'stored' in content ? content.stored : null
  const announced = 'announced_sha256' in content ? content.announced_sha256 : null
  const at = now.toISOString()
  const processing_status = stored ? 'ready' : 'pending_upload'
  const ready_at = stored ? at : null
  const summary = stored?.summary ?? null
  tx.save(versionInsert, {
    workspace_id: of.workspace_id,
    file_version_id: of.file_version_id,
    file_id: of.file_id,
    number: of.number,
    content_type,
    size_bytes,
    declared_sha256: announced,
    sha256: stored?.sha256 ?? null,
    processing_status,
    is_text: stored?.is_text ?? false,
    summary,
    created_by: of.user_id,
    now,
    ready_at,
  })
  return {
    file_version_id: of.file_version_id,
    version_number: of.number,
    content_type,
    size_bytes,
    sha256: stored?.sha256 ?? announced,
    processing_status,
    processing_error: null,
    summary,
    created_at: at,
    ready_at,
  }
}

/** Saves what describes a File, and its lifecycle, as a new revision. */
export function saveFile<Row extends OpenedFile<'edit' | 'full_access'>>(
  tx: Transaction,
  file: Row,
  now: Date,
): Row {
  const { workspace_id, file_id, name, description, classification, tags, lifecycle } = file
  const archived_at = lifecycle === 'archived' ? (file.archived_at ?? now.toISOString()) : null
  tx.save(fileSave, {
    workspace_id,
    file_id,
    name,
    description,
    classification,
    tags,
    lifecycle,
    now,
    archived_at,
    revision: file.revision,
  })
  return { ...file, revision: file.revision + 1, updated_at: now.toISOString(), archived_at }
}

/** A File whose current version, as it is shown, has changed. */
type ChangedFile = {
  workspace_id: string
  file_id: Id<'fil'>
  revision: number
  updated_at: string
  current_version: VersionRow
}

/** Makes a version the current one, or saves that the current one has changed, as a new revision of the File. */
export function saveCurrentVersion<Row extends ChangedFile>(
  tx: Transaction,
  file: Row,
  version: VersionRow,
  now: Date,
): Row {
  tx.save(fileVersionCurrent, {
    workspace_id: file.workspace_id,
    file_id: file.file_id,
    file_version_id: version.file_version_id,
    now,
    revision: file.revision,
  })
  return {
    ...file,
    current_version: version,
    revision: file.revision + 1,
    updated_at: now.toISOString(),
  }
}

const fileInsert = write(
  'file_insert',
  `insert into files (workspace_id, id, business_id, name, description, classification, tags, origin, current_version_id,
     created_by, membership_id, created_at, updated_at)
   values (:workspace_id, :file_id, :business_id, :name, :description, :classification, :tags, :origin, :file_version_id, :created_by, :membership_id, :now, :now)`,
)

const versionInsert = write(
  'file_version_insert',
  `insert into file_versions (workspace_id, id, file_id, number, content_type, size_bytes, declared_sha256, sha256,
     processing_status, is_text, summary, created_by, created_at, ready_at)
   values (:workspace_id, :file_version_id, :file_id, :number, :content_type, :size_bytes, :declared_sha256, :sha256, :processing_status, :is_text, :summary, :created_by, :now, :ready_at)`,
)

const fileSave = updateRevision(
  'file_save',
  `update files set name = :name, description = :description, classification = :classification, tags = :tags, lifecycle = :lifecycle,
     revision = revision + 1, updated_at = :now, archived_at = :archived_at
   where workspace_id = :workspace_id and id = :file_id and revision = :revision`,
)

const fileVersionCurrent = updateRevision(
  'file_current_version_save',
  `update files set current_version_id = :file_version_id, revision = revision + 1, updated_at = :now where workspace_id = :workspace_id and id = :file_id and revision = :revision`,
)
