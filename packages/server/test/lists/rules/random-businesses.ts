import { newId, type Id } from '@wbs/contract/ids'
import fc from 'fast-check'
import { foldName, storedFold } from '../../../src/businesses/fold.ts'
import { usState } from '../../../src/businesses/fact-formats.ts'
import type { KnownFacts } from '../../../src/lists/rules/evaluate-rule.ts'
import { addBusinesses, type BusinessFacts } from '../../harness/businesses.ts'
import type { TestService } from '../../harness/service.ts'
import { arbitraryFacts } from './arbitrary-rules.ts'

/** Random Businesses, the links of a Workspace with them, its observations and the overrides of one of its Lists. */
export interface RandomBusinesses {
  ids: Id<'biz'>[]
  list_id: string
}

interface Around {
  service: TestService
  workspace_id: string
  /** A Workspace that links and observes the same Businesses. */
  other_workspace_id: string
  user_id: string
}

type PublishedFacts = NonNullable<KnownFacts['published']>
const publishedFacts = arbitraryFacts
  .filter(({ published }) => published !== null)
  .map(({ published }) => published as PublishedFacts)

const days = ['2026-03-30', '2026-03-31']

/** Observations of one Business: few days, so that several of a key have the same day. */
const observations = fc
  .array(
    fc.record({
      facts: arbitraryFacts,
      observed_on: fc.constantFrom(...days),
      isRetracted: fc.integer({ max: 3, min: 0 }).map(one => one === 0),
    }),
    { maxLength: 4 },
  )
  .map(rounds =>
    rounds.flatMap(({ facts, ...round }) =>
      [...facts.observations].map(([key, value]) => ({ key, ...value, ...round })),
    ),
  )

const arbitraryBusiness = fc.record({
  facts: publishedFacts,
  publication_status: fc.oneof(
    { weight: 6, arbitrary: fc.constant('published' as const) },
    { weight: 4, arbitrary: fc.constantFrom('draft' as const, 'withdrawn' as const, 'merged' as const) },
  ),
  isLocationPublished: fc.integer({ min: 0, max: 4 }).map(one => one > 0),
  isClassificationPublished: fc.integer({ min: 0, max: 4 }).map(one => one > 0),
  link: fc.constantFrom('none', 'none', 'active', 'active', 'published only', 'removed'),
  otherLink: fc.boolean(),
  ours: observations,
  theirs: observations,
  override: fc.constantFrom(
    null,
    null,
    null,
    null,
    'include',
    'exclude',
    'expired include',
    'expired exclude',
  ),
})
type Random = typeof arbitraryBusiness extends fc.Arbitrary<infer One> ? One : never

export async function addRandomBusinesses(
  { service, workspace_id, other_workspace_id, user_id }: Around,
  count: number,
  seed: number,
): Promise<RandomBusinesses> {
  const all = fc.sample(arbitraryBusiness, { numRuns: count, seed })
  await addCodes(service, all)
  const ids = await addBusinesses(service, withDifferentIds(all))
  const [target] = ids
  // Merged Businesses name the one that they were merged into.
  await service.sql(`update businesses set merged_into_id = $1 where publication_status = 'merged'`, [target])
  const each = all.map((one, i) => ({ ...one, business_id: ids[i] as string }))
  const ofUs = each.filter(({ link }) => link !== 'none').map(one => ({ ...one, workspace_id }))
  const ofThem = each
    .filter(({ otherLink }) => otherLink)
    .map(one => ({ ...one, workspace_id: other_workspace_id, link: 'active', ours: one.theirs }))
  const links = [...ofUs, ...ofThem]
  await fill(
    service,
    'workspace_businesses',
    links.map(({ business_id, link, ...one }) => ({
      workspace_id: one.workspace_id,
      business_id,
      access_level: 'view',
      linked_by: user_id,
      linked_at: now,
      removed_at: link === 'removed' ? now : null,
      sees_unpublished: link !== 'published only',
    })),
  )
  await fill(
    service,
    'business_observations',
    links.flatMap(one => observationRows(one, user_id)),
  )
  const list_id = await addListWithOverrides(service, { workspace_id, user_id, each })
  await service.sql('analyze')
  return { ids, list_id }
}

const now = new Date().toISOString()

const observationRows = (
  { workspace_id, business_id, ours }: { workspace_id: string; business_id: string } & Pick<Random, 'ours'>,
  recorded_by: string,
) =>
  ours.map(({ key, value_type, value, observed_on, isRetracted }) => ({
    workspace_id,
    business_id,
    id: newId('obs'),
    key,
    value_type,
    value,
    text_folded: value_type === 'text' ? storedFold(value as string) : null,
    observed_on,
    source: {},
    recorded_by,
    recorded_at: now,
    retracted_at: isRetracted ? now : null,
  }))

async function addListWithOverrides(
  service: TestService,
  {
    workspace_id,
    user_id,
    each,
  }: { workspace_id: string; user_id: string; each: (Random & { business_id: string })[] },
): Promise<string> {
  const list_id = newId('list')
  await service.sql(
    `insert into lists (workspace_id, id, name, name_folded, rule, created_by, created_at, updated_at)
     values ($1, $2, 'Random', 'random', '{"kind":"all"}', $3, $4, $4)`,
    [workspace_id, list_id, user_id, now],
  )
  const overridden = each.filter(({ override }) => override !== null)
  await fill(
    service,
    'list_overrides',
    overridden.map(({ business_id, override }) => ({
      workspace_id,
      list_id,
      member_id: business_id,
      mode: override?.endsWith('include') ? 'include' : 'exclude',
      expires_at: override?.startsWith('expired') ? now : null,
      set_by: user_id,
      set_at: now,
    })),
  )
  return list_id
}

/** The codes of rules that no edition of NAICS has, with titles of few different texts. */
async function addCodes(service: TestService, all: readonly Random[]): Promise<void> {
  const titles = ['Acme', "O'Neil; drop table lists; --", '100% a_b \\ c', 'First  Office']
  const pairs = new Set(all.map(({ facts }) => `${facts.naics_vintage ?? ''}/${facts.naics_code ?? ''}`))
  const rows = [...pairs]
    .map(pair => pair.split('/'))
    .filter(([vintage, code]) => vintage !== '' && code !== '')
    .map(([vintage, code], i) => ({ vintage, code, title: titles[i % titles.length], level: 2 }))
  await service.sql(
    `insert into naics_codes select * from jsonb_populate_recordset(null::naics_codes, $1)
     on conflict (vintage, code) do update set title = excluded.title`,
    [JSON.stringify(rows)],
  )
}

/** An id that several facts have stays with the first. */
function withDifferentIds(all: readonly Random[]): BusinessFacts[] {
  const taken = new Set<string>()
  return all.map(one => {
    const { id, ...facts } = businessOf(one)
    const isFree = id !== undefined && !taken.has(id)
    if (isFree) taken.add(id)
    return isFree ? { id, ...facts } : facts
  })
}

function businessOf({
  facts,
  publication_status,
  isLocationPublished,
  isClassificationPublished,
}: Random): BusinessFacts {
  const { id, name, status, closed_on, description, founded_on, published_at, country_code, state, city } =
    facts
  const { primary_location_id, primary_classification_id, naics_code, naics_vintage } = facts
  const { public_email, public_phone, website_url } = facts
  const hasLocation = primary_location_id !== null || state !== null || city !== null
  const given = {
    id,
    name,
    name_folded: foldName(name as string),
    publication_status,
    status,
    closed_on,
    description,
    founded_on,
    published_at: publication_status === 'draft' ? null : published_at,
    public_email,
    public_phone,
    website_url,
    country_code,
    locations: hasLocation
      ? [
          {
            id: primary_location_id ?? newId('loc'),
            country_code,
            // The service stores only the codes of the states of the U.S., in capital letters.
            state:
              country_code === 'US' && state !== undefined && state !== null
                ? (usState(state) ?? 'OH')
                : state,
            city,
            published: isLocationPublished,
          },
          { is_primary: false, state: 'TX', city: 'Elsewhere' },
        ]
      : [],
    classifications:
      naics_code === null
        ? []
        : [
            {
              id: primary_classification_id ?? newId('cls'),
              code: naics_code,
              vintage: naics_vintage,
              published: isClassificationPublished,
            },
          ],
  }
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null),
  ) as unknown as BusinessFacts
}

async function fill(service: TestService, table: string, rows: readonly object[]): Promise<void> {
  await service.sql(
    `insert into ${table} (${columnsOf(rows)}) select ${columnsOf(rows)} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}

const columnsOf = ([first = {}]: readonly object[]) => Object.keys(first).join(', ')
