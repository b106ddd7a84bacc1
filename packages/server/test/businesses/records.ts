import { newId, type Id } from '@wbs/contract/ids'
import { foldCity, foldName } from '../../src/businesses/fold.ts'
import type { TestService } from '../harness/service.ts'

/** A location as its table holds it; the primary, published office in the U.S. unless said otherwise. */
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

/** A classification as its table holds it; the primary, published one of 2022 unless said otherwise. */
export interface ClassificationFacts {
  code: string
  vintage?: string
  is_primary?: boolean
  published?: boolean
}

/** A Business with all that belongs to it; published and active unless said otherwise. */
export interface RecordFacts {
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

/** Puts Businesses into the registry, in a few statements however many they are, and gives their ids in order. */
export async function addRecords(service: Sql, records: readonly RecordFacts[]): Promise<Id<'biz'>[]> {
  const ids = records.map(({ id }) => id ?? newId('biz'))
  const partsOf = (pick: (record: RecordFacts) => readonly object[] | undefined) =>
    records.flatMap((record, i) => (pick(record) ?? []).map(part => ({ business_id: ids[i], ...part })))
  await fill(
    service,
    'businesses',
    records.map((record, i) => ({ ...rowOf(record), id: ids[i] })),
  )
  await fill(
    service,
    'business_locations',
    partsOf(record => record.locations?.map(locationRow)),
  )
  await fill(
    service,
    'business_classifications',
    partsOf(record => record.classifications?.map(classificationRow)),
  )
  await fill(
    service,
    'business_identifiers',
    partsOf(record => record.identifiers),
  )
  await project(service, ids)
  return ids
}

export async function addRecord(service: Sql, record: RecordFacts): Promise<Id<'biz'>> {
  return (await addRecords(service, [record]))[0] as Id<'biz'>
}

/** Takes published Businesses back, as their publisher would. */
export async function withdraw(service: Sql, ids: readonly string[]): Promise<void> {
  await service.sql(`update businesses set publication_status = 'withdrawn' where id = any ($1)`, [ids])
  await project(service, ids)
}

/** Says which source gave which fields of a Business. */
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

const project = (service: Sql, ids: readonly string[]) => service.sql('select project_businesses($1)', [ids])

const fill = (service: Sql, table: string, rows: readonly object[]) =>
  service.sql(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
    JSON.stringify(rows),
  ])

// What is no column, as the parts, is passed over where the row is filled.
function rowOf(facts: RecordFacts): object {
  const now = new Date().toISOString()
  const made = { revision: 1, country_code: 'US', created_at: now, updated_at: now }
  const published_at = facts.publication_status === 'draft' ? null : now
  const common = { publication_status: 'published', status: 'active', published_at }
  return { ...made, ...common, name_folded: foldName(facts.name), ...facts }
}

const locationRow = (facts: LocationFacts) => ({
  id: newId('loc'),
  kind: 'principal',
  country_code: 'US',
  is_primary: true,
  published: true,
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
