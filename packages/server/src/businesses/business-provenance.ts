import type { Caller } from '../call/caller.ts'
import type { Standing } from '../call/standing.ts'
import type { Id } from '@wbs/contract/ids'
import { readOpen, type Reader } from '../database/statement.ts'
import { permissionsInWorkspace } from '../workspaces/workspace-access.ts'
import { membershipsOfUser } from '../workspaces/workspace-store.ts'
import type { BusinessRow } from './business-view.ts'

export interface Provenance {
  business_id: Id<'biz'>
  field: string
  source: string
  source_url: string | null
  observed_at: string | null
}

/** Which source gave which of these fields, or of all, of Businesses as they are shown. */
export async function provenanceOf(
  reader: Reader,
  shown: readonly BusinessRow[],
  fields?: readonly string[],
): Promise<Provenance[]> {
  const byId = new Map(shown.map(business => [business.id, business]))
  const all = await reader.many(provenanceByBusiness, [[...byId.keys()], fields ?? null])
  return all.filter(({ business_id, field }) => {
    const part = partOf[field]
    return part === undefined || byId.get(business_id)?.[part] !== null
  })
}

// Of a location or classification that is not shown, not even the source is told.
const partOf: Readonly<Record<string, 'primary_location_id' | 'primary_classification_id'>> = {
  state: 'primary_location_id',
  city: 'primary_location_id',
  postal_code: 'primary_location_id',
  line1: 'primary_location_id',
  naics_code: 'primary_classification_id',
  naics_vintage: 'primary_classification_id',
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
  const memberships = await membershipsOfUser(reader, caller.user_id)
  return memberships.some(member => permissionsInWorkspace(caller, member).has('businesses:read'))
}

// Of a source that people gave: its kind and address. By whom and where is not in this table.
const provenanceByBusiness = readOpen<Provenance>(
  'provenance_by_business',
  `select s.business_id, f.field, s.source, c.url as source_url, c.observed_on as observed_at
   from business_sources s join sources c on c.source = s.source cross join unnest(s.fields) as f (field)
   where s.business_id = any ($1) and ($2::text[] is null or f.field = any ($2))
   union all
   select g.business_id, g.field, g.kind, g.url, g.observed_on
   from business_fact_sources g
   where g.business_id = any ($1) and ($2::text[] is null or g.field = any ($2))
   order by business_id, field, source`,
)
