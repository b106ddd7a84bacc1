import type { Id } from '@wbs/contract/ids'
import { savedLogoUrl } from '../logo-url.ts'
import type { ProfileRow } from './workspace-profile-store.ts'

/** A profile for an answer; an empty one if none was saved. */
export const presentProfile = (business_id: Id<'biz'>, row: ProfileRow | undefined) => ({
  business_id,
  logo_url: savedLogoUrl(row?.logo_url ?? null),
  notes: row?.notes ?? null,
  revision: row?.revision ?? 0,
  updated_at: row?.updated_at ?? null,
})
