import type { Caller } from '../call/authority/caller.ts'
import { hasPermissionsSql, scopeArraySql } from '../call/authority/permissions.ts'
import type { Standing } from '../call/authority/standing.ts'
import type { Id } from '@wbs/contract/ids'
import { read, readPublic, type Reader } from '../database/statement.ts'
import type { BusinessRow } from './business-view.ts'

export interface Provenance {
  business_id: Id<'biz'>
  field: string
  source: string
  source_url: string | null
  observed_at: string | null
}

interface ProvenanceContext {
  caller: Caller | null
  standing: Standing | null
  read: Reader
}

/**
 * The sources of these fields, or of all, of Businesses as they are shown. Only callers with businesses:read get them: in the
 * Workspace that the request names, or else in any of theirs. Undefined for others.
 */
export async function provenanceOf(
  context: ProvenanceContext,
  shown: readonly BusinessRow[],
  fields?: readonly string[],
): Promise<Provenance[] | undefined> {
  const byId = new Map(shown.map(business => [business.id, business]))
  const given = await sourcesFor(context, [...byId.keys()])
  if (!given) return undefined
  const wanted = fields && new Set(fields)
  const provenance: Provenance[] = []
  for (const { business_id, source, source_url, observed_at, fields: all } of given)
    for (const field of all) {
      const part = partOf[field]
      const isShown = part === undefined || byId.get(business_id)?.[part] !== null
      if (isShown && (!wanted || wanted.has(field)))
        provenance.push({ business_id, field, source, source_url, observed_at })
    }
  return provenance.sort(byBusinessFieldAndSource)
}

async function sourcesFor(
  { caller, standing, read: reader }: ProvenanceContext,
  ids: readonly string[],
): Promise<GivenSource[] | undefined> {
  if (standing && !standing.permissions.has('businesses:read')) return undefined
  if (standing) return (await reader.one(sourcesByBusiness, { business_ids: ids }))?.sources
  // A caller with an API key always has standing, in the Workspace of the key.
  if (caller?.kind !== 'user') return undefined
  return (await reader.one(sourcesForMember, { business_ids: ids, user_id: caller.user_id }))?.sources
}

const byBusinessFieldAndSource = (provenance: Provenance, other: Provenance): number =>
  compare(provenance.business_id, other.business_id) ||
  compare(provenance.field, other.field) ||
  compare(provenance.source, other.source)

const compare = (first: string, other: string): number => (first < other ? -1 : first > other ? 1 : 0)

// The source of a hidden location or classification is hidden, too.
const partOf: Readonly<Record<string, 'primary_location_id' | 'primary_classification_id'>> = {
  state: 'primary_location_id',
  city: 'primary_location_id',
  postal_code: 'primary_location_id',
  line1: 'primary_location_id',
  naics_code: 'primary_classification_id',
  naics_vintage: 'primary_classification_id',
}

type GivenSource = Omit<Provenance, 'field'> & { fields: string[] }

// Of a source that people gave, only its kind and address are public; this table has no author. The subselect hides the number
// of ids from the planner, which would otherwise plan anew for each number, longer than the query runs. Without `offset 0`,
// the sources of a hundred Businesses take 500 buffers instead of 409; before there are statistics, 1,635 instead of 800.
const sourcesSql = `
  select coalesce(json_agg(given), '[]') as sources from (
    select shown.id as business_id, s.source, c.url as source_url, c.observed_on as observed_at, s.fields
    from unnest((select :business_ids::text[])) as shown (id)
    cross join lateral (select source, fields from business_sources where business_id = shown.id offset 0) s
    cross join lateral (select url, observed_on from sources where source = s.source) c
    union all
    select shown.id, g.kind, g.url, g.observed_on, array[g.field]
    from unnest((select :business_ids::text[])) as shown (id)
    cross join lateral (select kind, url, observed_on, field from business_fact_sources where business_id = shown.id) g
  ) given`

interface SourcesRow {
  sources: GivenSource[]
}
const sourcesByBusiness = readPublic<SourcesRow>('sources_by_business', sourcesSql)
const sourcesForMember = read<SourcesRow>(
  'sources_for_member',
  `select (${sourcesSql})
   from memberships m join workspaces w on w.id = m.workspace_id
   where m.user_id = :user_id and m.status = 'active' and w.status <> 'closed'
     and ${hasPermissionsSql('m', scopeArraySql(['businesses:read']))}
   limit 1`,
)
