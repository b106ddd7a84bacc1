import { read, updateRevision, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** What a Workspace saved about a Business for itself, with the revision of each part. */
export interface ProfileRow {
  logo_url: string | null
  notes: string | null
  revision: number
  updated_at: string | null
  logo_url_revision: number
  notes_revision: number
}

/** The profile; undefined if none was saved. */
export const profileOf = (reader: Reader, workspace_id: string, business_id: string) =>
  reader.one(profileByBusiness, { workspace_id, business_id })

/** Saves a profile whose link is locked, as the revision behind the one that was read. */
export const saveProfile = (
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  profile: ProfileRow,
) => tx.save(profileSave, { ...profile, workspace_id, business_id })

const profileByBusiness = read<ProfileRow>(
  'workspace_business_profile',
  `select logo_url, notes, revision, updated_at, logo_url_revision, notes_revision from workspace_business_profiles
   where workspace_id = :workspace_id and business_id = :business_id`,
)

const profileSave = updateRevision(
  'workspace_business_profile_save',
  `insert into workspace_business_profiles as p
     (workspace_id, business_id, logo_url, notes, revision, updated_at, logo_url_revision, notes_revision)
   values (:workspace_id, :business_id, :logo_url, :notes, :revision, :updated_at, :logo_url_revision, :notes_revision)
   on conflict (workspace_id, business_id) do update set logo_url = excluded.logo_url, notes = excluded.notes,
     revision = excluded.revision, updated_at = excluded.updated_at,
     logo_url_revision = excluded.logo_url_revision, notes_revision = excluded.notes_revision
   where p.revision = excluded.revision - 1`,
)
