import type { Caller } from '../call/authority/caller.ts'
import type { Standing } from '../call/authority/standing.ts'
import type { Id } from '@wbs/contract/ids'
import { read, readUnscoped, type Reader } from '../database/statement.ts'
import { membershipAllowingSql } from '../workspaces/workspace-store.ts'
import type { BusinessRow } from './business-view.ts'

export interface Provenance {
  business_id: Id<'biz'>
  field: string
  source: string
  source_url: string | null
  observed_at: string | null
}

interface Asking {
  caller: Caller | null
  standing: Standing | null
  read: Reader
}

/**
 * Which source gave which of these fields, or of all, of Businesses as they are shown. It is for those who have
 * businesses:read: in the Workspace that the request names, else in any of theirs. Undefined for others.
 */
export async function provenanceOf(
  asking: Asking,
  shown: readonly BusinessRow[],
  fields?: readonly string[],
): Promise<Provenance[] | undefined> {
  const byId = new Map(shown.map(business => [business.id, business]))
  const given = await sourcesFor(asking, [...byId.keys()])
  if (!given) return undefined
  const asked = fields && new Set(fields)
  const provenance: Provenance[] = []
  for (const { business_id, source, source_url, observed_at, fields: all } of given)
    for (const field of all) {
      const part = partOf[field]
      const isShown = part === undefined || byId.get(business_id)?.[part] !== null
      if (isShown && (!asked || asked.has(field)))
        provenance.push({ business_id, field, source, source_url, observed_at })
    }
  return provenance.sort(byBusinessFieldAndSource)
}

async function sourcesFor(
  { caller, standing, read: reader }: Asking,
  ids: readonly string[],
): Promise<GivenSource[] | undefined> {
  if (standing && !standing.permissions.has('businesses:read')) return undefined
  if (standing) return (await reader.one(sourcesByBusiness, [ids]))?.sources
  // A key has a Workspace of its own, so it has standing.
  if (caller?.kind !== 'user') return undefined
  return (await reader.one(sourcesForMember, [ids, caller.user_id, ['businesses:read']]))?.sources
}

const byBusinessFieldAndSource = (one: Provenance, other: Provenance): number =>
  compared(one.business_id, other.business_id) ||
  compared(one.field, other.field) ||
  compared(one.source, other.source)

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

// Of a location or classification that is not shown, not even the source is told.
const partOf: Readonly<Record<string, 'primary_location_id' | 'primary_classification_id'>> = {
  state: 'primary_location_id',
  city: 'primary_location_id',
  postal_code: 'primary_location_id',
  line1: 'primary_location_id',
  naics_code: 'primary_classification_id',
  naics_vintage: 'primary_classification_id',
}

type GivenSource = Omit<Provenance, 'field'> & { fields: string[] }

// Of a source that people gave: its kind and address. By whom and where is not in this table. How many Businesses are
// asked for is kept from the planner, or it would plan anew for each number of them, which takes longer than the answer;
// and each is looked up by itself (`offset 0`), also where nothing is known yet of tables that were just filled.
const sources = `
  select coalesce(json_agg(given), '[]') as sources from (
    select shown.id as business_id, s.source, c.url as source_url, c.observed_on as observed_at, s.fields
    from unnest((select $1::text[])) as shown (id)
    cross join lateral (select source, fields from business_sources where business_id = shown.id offset 0) s
    cross join lateral (select url, observed_on from sources where source = s.source offset 0) c
    union all
    select shown.id, g.kind, g.url, g.observed_on, array[g.field]
    from unnest((select $1::text[])) as shown (id)
    cross join lateral (select kind, url, observed_on, field from business_fact_sources where business_id = shown.id offset 0) g
  ) given`

interface Given {
  sources: GivenSource[]
}
const sourcesByBusiness = readUnscoped<Given>('sources_by_business', sources)
const sourcesForMember = read<Given>(
  'sources_for_member',
  `select (${sources}) from ${membershipAllowingSql('$2', '$3::text[]')} limit 1`,
)
