import type { Rule } from '@wbs/contract/lists/rules'
import { holds, type KnownFacts } from '../../../src/lists/rules/evaluate-rule.ts'
import type { TestService } from '../../harness/service.ts'

/** A Business as a caller of a Workspace sees it, from the tables of facts and not from the projection of search. */
export interface SeenBusiness extends KnownFacts {
  id: string
  override: 'include' | 'exclude' | null
}

export interface Viewer {
  workspace_id: string
  reads_businesses: boolean
}

interface Row {
  id: string
  published: Record<string, string | null>
  publication_status: string
  is_linked: boolean
  sees_unpublished: boolean
  observed: { id: string; key: string; value_type: string; value: unknown; observed_on: string }[]
  override: SeenBusiness['override']
}

/** All Businesses that a caller sees, by id. */
export async function seenBusinesses(
  service: TestService,
  list_id: string,
  { workspace_id, reads_businesses }: Viewer,
): Promise<SeenBusiness[]> {
  const rows = await service.sql<Row>(factsSql, [workspace_id, list_id])
  return rows
    .filter(row => isVisible(row, reads_businesses))
    .map(({ id, published, publication_status, is_linked, observed, override }) => ({
      id,
      published: publication_status === 'published' ? published : null,
      observations: reads_businesses && is_linked ? latestOf(observed) : new Map(),
      override,
    }))
}

function isVisible({ publication_status, is_linked, sees_unpublished }: Row, readsBusinesses: boolean) {
  if (publication_status === 'published') return true
  const isKept = publication_status === 'draft' || publication_status === 'withdrawn'
  return isKept && readsBusinesses && is_linked && sees_unpublished
}

function latestOf(observed: Row['observed']): KnownFacts['observations'] {
  const oldestFirst = observed.toSorted((a, b) => {
    const [one, other] = [`${a.observed_on} ${a.id}`, `${b.observed_on} ${b.id}`]
    return one < other ? -1 : 1
  })
  return new Map(oldestFirst.map(({ key, value_type, value }) => [key, { value_type, value }]))
}

const factsSql = `
  select b.id, b.publication_status, coalesce(w.removed_at is null and w.business_id is not null, false) as is_linked,
    coalesce(w.sees_unpublished, false) as sees_unpublished,
    jsonb_build_object('id', b.id, 'name', b.name, 'publication_status', b.publication_status, 'status', b.status,
      'closed_on', b.closed_on, 'description', b.description, 'founded_on', b.founded_on,
      'primary_classification_id', c.id, 'primary_location_id', l.id, 'public_email', b.public_email,
      'public_phone', b.public_phone, 'website_url', b.website_url,
      'published_at', to_char(b.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'country_code', coalesce(l.country_code, b.country_code), 'state', l.state, 'city', l.city,
      'naics_code', c.code, 'naics_vintage', c.vintage,
      'naics_title', (select n.title from naics_codes n where n.vintage = c.vintage and n.code = c.code)) as published,
    (select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'key', o.key, 'value_type', o.value_type, 'value', o.value,
        'observed_on', o.observed_on)), '[]')
     from business_observations o
     where o.workspace_id = $1 and o.business_id = b.id and o.retracted_at is null) as observed,
    (select v.mode from list_overrides v
     where v.workspace_id = $1 and v.list_id = $2 and v.member_id = b.id
       and (v.expires_at is null or v.expires_at > now())) as override
  from businesses b
  left join business_locations l on l.business_id = b.id and l.is_primary and l.published
  left join business_classifications c on c.business_id = b.id and c.is_primary and c.published
  left join workspace_businesses w on w.workspace_id = $1 and w.business_id = b.id
  order by b.id`

/** A member as a caller should see it; null if the Business is none. */
export interface ExpectedMember {
  id: string
  source: 'rule' | 'override'
  projection: 'public' | 'workspace'
}

export function expectedMember(
  rule: Rule,
  { override, ...business }: SeenBusiness,
  today: string,
): ExpectedMember | null {
  const { id } = business
  if (override === 'exclude') return null
  if (holds(rule, business, today)) {
    const isPublic = business.published !== null && holdsPublicly(rule, business, today) === true
    return { id, source: 'rule', projection: isPublic ? 'public' : 'workspace' }
  }
  return override === 'include' ? { id, source: 'override', projection: 'workspace' } : null
}

/** Whether a rule holds for the public facts: null if that depends on observations, which are taken as unknown. */
function holdsPublicly(rule: Rule, facts: KnownFacts, today: string): boolean | null {
  switch (rule.kind) {
    case 'field':
      return rule.field.startsWith('observations.') ? null : holds(rule, facts, today)
    case 'not': {
      const inner = holdsPublicly(rule.rule, facts, today)
      return inner === null ? null : !inner
    }
    case 'and':
    case 'or': {
      const deciding = rule.kind === 'or'
      const results = rule.rules.map(one => holdsPublicly(one, facts, today))
      if (results.includes(deciding)) return deciding
      return results.includes(null) ? null : !deciding
    }
    default:
      return rule.kind === 'all'
  }
}
