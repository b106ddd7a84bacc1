import { savedLogoUrl } from '../logo-url.ts'
import type { ProfileRow } from './workspace-profile-store.ts'

export interface GivenProfile {
  logo_url?: string | null
  notes?: string | null
}

const emptyProfile: ProfileRow = {
  logo_url: null,
  notes: null,
  revision: 0,
  updated_at: null,
  logo_url_revision: 0,
  notes_revision: 0,
}

const parts = ['logo_url', 'notes'] as const

/** Applies given parts to a profile; parts that are not given stay. Returns the same object if nothing changes. */
export function applyProfile(
  before: ProfileRow | undefined,
  given: GivenProfile,
  now: Date,
): { profile: ProfileRow; changed: string[] } {
  const from = before ?? emptyProfile
  const wanted = {
    logo_url: given.logo_url === undefined ? from.logo_url : savedLogoUrl(given.logo_url),
    notes: given.notes === undefined ? from.notes : given.notes,
  }
  const changed = parts.filter(part => wanted[part] !== from[part])
  if (before && changed.length === 0) return { profile: before, changed }
  const revision = from.revision + 1
  const revisionOf = (part: (typeof parts)[number]) =>
    changed.includes(part) ? revision : from[`${part}_revision`]
  return {
    profile: {
      ...wanted,
      revision,
      updated_at: now.toISOString(),
      logo_url_revision: revisionOf('logo_url'),
      notes_revision: revisionOf('notes'),
    },
    changed,
  }
}

/** The parts that changed after a revision. */
export const partsChangedSince = (profile: ProfileRow | undefined, revision: number): string[] =>
  parts.filter(part => (profile?.[`${part}_revision`] ?? 0) > revision)
