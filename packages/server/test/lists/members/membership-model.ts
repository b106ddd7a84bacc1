import type { Rule } from '@wbs/contract/lists/rules'
import { expectedMember, type ExpectedMember, type SeenBusiness } from '../rules/seen-businesses.ts'

/** What a walk knows of a Business. */
export interface ModelBusiness {
  id: string
  name: string
  state: string
  status: 'draft' | 'published' | 'withdrawn'
  revision: number
  /** The Workspace that created it, and can publish and withdraw it. */
  home: 'ours' | 'theirs'
  /** The link of our Workspace; null if there never was one. */
  link: { isActive: boolean; seesUnpublished: boolean } | null
  /** In the order in which they were recorded. */
  observations: ModelObservation[]
}

export interface ModelObservation {
  id: string
  key: string
  value: { value_type: 'text' | 'number' | 'boolean' | 'date'; value: string | number | boolean }
  observed_on: string
  isRetracted: boolean
}

export interface ModelList {
  id: string
  rule: Rule
  version: number
  isArchived: boolean
  overrides: Map<string, { mode: 'include' | 'exclude'; isExpired: boolean }>
}

/** Whether our Workspace sees a Business, apart from what the caller may read. */
export const sees = ({ status, link }: ModelBusiness): boolean =>
  status === 'published' || (link?.isActive === true && link.seesUnpublished)

/** The members that a caller sees, by id. */
export function membersOf(
  list: ModelList,
  businesses: readonly ModelBusiness[],
  readsBusinesses: boolean,
  today: string,
): (ExpectedMember & { name: string })[] {
  return businesses
    .filter(one => (readsBusinesses ? sees(one) : one.status === 'published'))
    .map(one => ({ one, member: expectedMember(list.rule, seen(list, one, readsBusinesses), today) }))
    .flatMap(({ one, member }) => (member ? [{ ...member, name: one.name }] : []))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function seen({ overrides }: ModelList, business: ModelBusiness, readsBusinesses: boolean): SeenBusiness {
  const { id, name, state, status, link } = business
  const override = overrides.get(id)
  return {
    id,
    published:
      status === 'published'
        ? { id, name, state, status: 'active', publication_status: status, country_code: 'US' }
        : null,
    observations: readsBusinesses && link?.isActive ? latest(business) : new Map(),
    override: override && !override.isExpired ? override.mode : null,
  }
}

/** The last that was recorded of those with the last day, of each key. */
function latest({ observations }: ModelBusiness): SeenBusiness['observations'] {
  const left = observations.filter(one => !one.isRetracted)
  const byDay = left.toSorted((a, b) => a.observed_on.localeCompare(b.observed_on))
  return new Map(byDay.map(({ key, value }) => [key, value]))
}
