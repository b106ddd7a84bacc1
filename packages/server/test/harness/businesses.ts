import { newId, type Id } from '@wbs/contract/ids'
import { foldCity, foldName, storedFold } from '../../src/businesses/fold.ts'
import type { TestService } from './service.ts'

/** A row of business_locations. Default: the primary, published office, in the U.S. */
export interface LocationFacts {
  kind?: 'principal' | 'branch' | 'mailing'
  country_code?: string
  state?: string | null
  city?: string | null
  postal_code?: string
  line1?: string
  is_primary?: boolean
  published?: boolean
}

/** A row of business_classifications. Default: the primary, published one, of the edition of 2022. */
export interface ClassificationFacts {
  code: string
  vintage?: string
  is_primary?: boolean
  published?: boolean
}

/** A Business with its parts. Default: published and active. */
export interface BusinessFacts {
  id?: Id<'biz'>
  name: string
  publication_status?: 'draft' | 'published' | 'withdrawn' | 'merged'
  status?: 'active' | 'closed' | 'inactive' | 'unknown'
  legal_name?: string
  founded_on?: string
  founded_year?: number
  closed_on?: string
  description?: string
  public_email?: string
  public_phone?: string
  website_url?: string
  published_at?: string | null
  merged_into_id?: string
  locations?: readonly LocationFacts[]
  classifications?: readonly ClassificationFacts[]
  identifiers?: readonly { scheme: string; value: string; published: boolean }[]
}

type Sql = Pick<TestService, 'sql'>

/** Inserts Businesses in a few statements, however many there are. Returns their ids in the same order. */
export async function addBusinesses(
  service: Sql,
  businesses: readonly BusinessFacts[],
): Promise<Id<'biz'>[]> {
  const ids = businesses.map(({ id }) => id ?? newId('biz'))
  const partsOf = (pick: (business: BusinessFacts) => readonly object[] | undefined) =>
    businesses.flatMap((business, i) =>
      (pick(business) ?? []).map(part => ({ business_id: ids[i], ...part })),
    )
  await fill(
    service,
    'businesses',
    businesses.map((business, i) => ({ ...rowOf(business), id: ids[i] })),
  )
  await fill(
    service,
    'business_locations',
    partsOf(business => business.locations?.map(locationRow)),
  )
  await fill(
    service,
    'business_classifications',
    partsOf(business => business.classifications?.map(classificationRow)),
  )
  await fill(
    service,
    'business_identifiers',
    partsOf(business => business.identifiers),
  )
  await project(service, ids)
  return ids
}

export async function addBusiness(service: Sql, business: BusinessFacts): Promise<Id<'biz'>> {
  return (await addBusinesses(service, [business]))[0] as Id<'biz'>
}

/** Withdraws published Businesses. */
export async function withdraw(service: Sql, ids: readonly string[]): Promise<void> {
  await service.sql(`update businesses set publication_status = 'withdrawn' where id = any ($1)`, [ids])
  await project(service, ids)
}

/** Records that a source gave fields of a Business. */
export async function addSource(
  service: Sql,
  source: string,
  business_id: string,
  fields: readonly string[],
): Promise<void> {
  await service.sql(
    `insert into sources (source, title, publisher, url, licence, observed_on)
     values ($1, $1, 'A publisher', 'https://' || $1 || '.example/data', 'CC0', '2026-03-31') on conflict do nothing`,
    [source],
  )
  await service.sql(
    `insert into business_sources (source, source_id, business_id, fields) values ($1, $2, $2, $3)`,
    [source, business_id, fields],
  )
}

/** Inserts an observation. Returns its id. */
export async function addObservation(
  { sql }: Pick<TestService, 'sql'>,
  workspace_id: string,
  business_id: string,
  by: { user_id: string },
): Promise<string> {
  const id = newId('obs')
  await sql(
    `insert into business_observations (workspace_id, business_id, id, key, value_type, value, observed_on, source, recorded_by)
     values ($1, $2, $3, 'headcount', 'number', '7', '2026-01-01', 'null', $4)`,
    [workspace_id, business_id, id, by.user_id],
  )
  return id
}

const project = (service: Sql, ids: readonly string[]) => service.sql('select project_businesses($1)', [ids])

async function fill(service: Sql, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length > 0)
    await service.sql(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(rows),
    ])
}

// Properties that are not columns, such as the parts, are ignored when the row is inserted.
function rowOf(facts: BusinessFacts): object {
  const now = new Date().toISOString()
  const made = { revision: 1, country_code: 'US', created_at: now, updated_at: now }
  const published_at = facts.publication_status === 'draft' ? null : now
  const common = { publication_status: 'published', status: 'active', published_at }
  const folds = {
    name_folded: foldName(facts.name),
    description_folded: storedFold(facts.description ?? null),
  }
  return { ...made, ...common, ...folds, ...facts }
}

const locationRow = (facts: LocationFacts) => ({
  id: newId('loc'),
  kind: 'principal',
  country_code: 'US',
  is_primary: true,
  published: true,
  state_folded: storedFold(facts.state ?? null),
  city_folded: facts.city ? foldCity(facts.city) : null,
  ...facts,
})

const classificationRow = (facts: ClassificationFacts) => ({
  id: newId('cls'),
  scheme: 'naics',
  vintage: '2022',
  is_primary: true,
  published: true,
  ...facts,
})
