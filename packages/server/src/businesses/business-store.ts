import type { Id } from '@wbs/contract/ids'
import { read, readPublic, readUnscoped, type Reader } from '../database/statement.ts'
import { businessColumnsSql, type BusinessRecordRow } from './business-view.ts'

/** The public fields of a Business. One that was merged after it had been published is found, too, and names the other. */
export const publishedRecord = async (reader: Reader, id: string): Promise<BusinessRecordRow | undefined> =>
  (await reader.one(publishedById, { business_id: id })) ??
  (await reader.one(mergedById, { business_id: id }))

/** A Business of a Workspace, published or not, unless the link shows it only while it is published. */
export const workspaceRecord = (
  reader: Reader,
  workspace_id: string,
  id: string,
): Promise<BusinessRecordRow | undefined> =>
  reader.one(workspaceBusinessById, { workspace_id, business_id: id })

export const classificationsOf = (reader: Reader, business_id: string, publishedOnly: boolean) =>
  reader.many(publishedOnly ? classifications.published : classifications.all, { business_id })
export const locationsOf = (reader: Reader, business_id: string, publishedOnly: boolean) =>
  reader.many(publishedOnly ? locations.published : locations.all, { business_id })
export const identifiersOf = (reader: Reader, business_id: string, publishedOnly: boolean) =>
  reader.many(publishedOnly ? identifiers.published : identifiers.all, { business_id })

const recordColumns = 'b.legal_name, b.founded_year, b.revision, b.merged_into_id, b.created_at, b.updated_at'

// The projection of a merged Business also contains parts that were never published, so they are read from their tables.
const publishedParts = {
  primary_location_id: 'l.id',
  country_code: 'coalesce(l.country_code, b.country_code)',
  state: 'l.state',
  city: 'l.city',
  primary_classification_id: 'c.id',
  naics_code: 'c.code',
  naics_vintage: 'c.vintage',
  naics_title: 'case when c.published then v.naics_title end',
}

const publishedById = readPublic<BusinessRecordRow>(
  'published_business_by_id',
  `select ${businessColumnsSql('p')}, ${recordColumns}
   from published_businesses p join businesses b on b.id = p.id
   where p.id = :business_id`,
  'default',
  'if_found',
)

const mergedById = readPublic<BusinessRecordRow>(
  'merged_business_by_id',
  `select ${businessColumnsSql('v', publishedParts)}, ${recordColumns}
   from businesses b join business_projections v on v.id = b.id
   left join business_locations l on l.business_id = b.id and l.is_primary and l.published
   left join business_classifications c on c.business_id = b.id and c.is_primary and c.published
   where b.id = :business_id and b.publication_status = 'merged' and b.published_at is not null`,
  'default',
  'if_found',
)

const workspaceBusinessById = read<BusinessRecordRow>(
  'workspace_business_by_id',
  `select ${businessColumnsSql('v')}, ${recordColumns}
   from workspace_businesses w join businesses b on b.id = w.business_id join business_projections v on v.id = b.id
   where w.workspace_id = :workspace_id and w.business_id = :business_id and w.removed_at is null
     and (w.sees_unpublished or b.publication_status = 'published')`,
)

export interface Classification {
  classification_id: Id<'cls'>
  scheme: 'naics'
  code: string
  vintage: '1997' | '2002' | '2007' | '2012' | '2017' | '2022'
  title: string | null
  is_primary: boolean
  published: boolean
}

const classificationsSql = (condition: string) =>
  `select c.id as classification_id, c.scheme, c.code, c.vintage, n.title, c.is_primary, c.published
   from business_classifications c left join naics_codes n on n.vintage = c.vintage and n.code = c.code
   where ${condition}
   order by c.is_primary desc, c.id`

const classifications = {
  all: readUnscoped<Classification>(
    'classifications_of_business',
    classificationsSql('c.business_id = :business_id'),
  ),
  published: readPublic<Classification>(
    'published_classifications_of_business',
    classificationsSql('c.business_id = :business_id and c.published'),
  ),
}

export interface Location {
  location_id: Id<'loc'>
  kind: 'principal' | 'branch' | 'mailing'
  country_code: string
  state: string | null
  city: string | null
  postal_code: string | null
  line1: string | null
  is_primary: boolean
  published: boolean
}

const locationsSql = (condition: string) =>
  `select l.id as location_id, l.kind, l.country_code, l.state, l.city, l.postal_code, l.line1, l.is_primary, l.published
   from business_locations l
   where ${condition}
   order by l.is_primary desc, l.id`

const locations = {
  all: readUnscoped<Location>('locations_of_business', locationsSql('l.business_id = :business_id')),
  published: readPublic<Location>(
    'published_locations_of_business',
    locationsSql('l.business_id = :business_id and l.published'),
  ),
}

export interface Identifier {
  scheme: string
  value: string
  published: boolean
}

const identifiersSql = (condition: string) =>
  `select i.scheme, i.value, i.published
   from business_identifiers i
   where ${condition}
   order by i.scheme, i.value`

const identifiers = {
  all: readUnscoped<Identifier>('identifiers_of_business', identifiersSql('i.business_id = :business_id')),
  published: readPublic<Identifier>(
    'published_identifiers_of_business',
    identifiersSql('i.business_id = :business_id and i.published'),
  ),
}

/** All parts of a Business, published or not. */
export interface BusinessParts {
  classifications: readonly Classification[]
  locations: readonly Location[]
  identifiers: readonly Identifier[]
}

const jsonListSql = (parts: string) => `(select coalesce(json_agg(part), '[]') from (${parts}) part)`

/** All parts of a Business as columns of a select list; `id` is the column with its id. */
export const partsColumnsSql = (id: string) => `
  ${jsonListSql(classificationsSql(`c.business_id = ${id}`))} as classifications,
  ${jsonListSql(locationsSql(`l.business_id = ${id}`))} as locations,
  ${jsonListSql(identifiersSql(`i.business_id = ${id}`))} as identifiers`
