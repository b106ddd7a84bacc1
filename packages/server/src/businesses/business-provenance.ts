import type { Caller } from '../call/caller.ts'
import { effectivePermissions } from '../call/permissions.ts'
import type { Standing } from '../call/standing.ts'
import type { Id } from '@wbs/contract/ids'
import type { Role } from '@wbs/contract/scopes'
import { read, type Reader } from '../database/statement.ts'

export interface Provenance {
  business_id: Id<'biz'>
  field: string
  source: string
  source_url: string | null
  observed_at: string | null
}

/** Which source gave which field of these Businesses. */
export function provenanceOf(
  reader: Reader,
  business_ids: readonly string[],
  fields?: readonly string[],
): Promise<Provenance[]> {
  return reader.many(provenanceByBusiness, [business_ids, fields ?? null])
}

/** Provenance is for those who have businesses:read: in the Workspace that the request names, else in any of theirs. */
export async function mayReadProvenance(of: {
  caller: Caller | null
  standing: Standing | null
  read: Reader
}): Promise<boolean> {
  const { caller, standing, read: reader } = of
  if (!caller) return false
  if (standing) return standing.permissions.has('businesses:read')
  const memberships = await reader.many(activeMemberships, [caller.user_id])
  return memberships.some(member => effectivePermissions(caller, member).has('businesses:read'))
}

const provenanceByBusiness = read<Provenance>(
  'provenance_by_business',
  `select s.business_id, f.field, s.source, c.url as source_url, c.observed_on as observed_at
   from business_sources s join sources c on c.source = s.source cross join unnest(s.fields) as f (field)
   where s.business_id = any ($1) and ($2::text[] is null or f.field = any ($2))
   order by s.business_id, f.field, s.source`,
)

const activeMemberships = read<{ role: Role; permissions: Record<string, boolean> }>(
  'active_memberships',
  `select role, permissions from memberships where user_id = $1 and status = 'active'`,
)
