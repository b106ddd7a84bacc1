import type { Id } from '@wbs/contract/ids'
import { read, readOpen, type Reader } from '../database/statement.ts'
import { businessColumns, type BusinessRecordRow } from './business-view.ts'

/** What everybody may read of a Business. One that was merged once it had been published is still found, and says into which. */
export const publishedRecord = async (reader: Reader, id: string): Promise<BusinessRecordRow | undefined> =>
  (await reader.one(publishedById, [id])) ?? (await reader.one(mergedById, [id]))

/** The same in one round trip, which costs more where the Business is published, as most are that are read. */
export async function publishedRecordAtOnce(
  reader: Reader,
  id: string,
): Promise<BusinessRecordRow | undefined> {
  const [published, merged] = await Promise.all([
    reader.one(publishedById, [id]),
    reader.one(mergedById, [id]),
  ])
  return published ?? merged
}

/** A Business of a Workspace, whether or not it is published, unless the link is to what is published alone. */
export const workspaceRecord = (
  reader: Reader,
  workspace_id: string,
  id: string,
): Promise<BusinessRecordRow | undefined> => reader.one(workspaceBusinessById, [workspace_id, id])

export const classificationsOf = (reader: Reader, id: string, publishedOnly: boolean) =>
  reader.many(classifications, [id, publishedOnly])
export const locationsOf = (reader: Reader, id: string, publishedOnly: boolean) =>
  reader.many(locations, [id, publishedOnly])
export const identifiersOf = (reader: Reader, id: string, publishedOnly: boolean) =>
  reader.many(identifiers, [id, publishedOnly])

const recordColumns = 'b.legal_name, b.founded_year, b.revision, b.merged_into_id, b.created_at, b.updated_at'

// The projection of a merged Business holds what was never published of it, too.
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

const publishedById = readOpen<BusinessRecordRow>(
  'published_business_by_id',
  `select ${businessColumns('p')}, ${recordColumns}
   from published_businesses p join businesses b on b.id = p.id
   where p.id = $1`,
)

const mergedById = readOpen<BusinessRecordRow>(
  'merged_business_by_id',
  `select ${businessColumns('v', publishedParts)}, ${recordColumns}
   from businesses b join business_projections v on v.id = b.id
   left join business_locations l on l.business_id = b.id and l.is_primary and l.published
   left join business_classifications c on c.business_id = b.id and c.is_primary and c.published
   where b.id = $1 and b.publication_status = 'merged' and b.published_at is not null`,
)

const workspaceBusinessById = read<BusinessRecordRow>(
  'workspace_business_by_id',
  `select ${businessColumns('v')}, ${recordColumns}
   from workspace_businesses w join businesses b on b.id = w.business_id join business_projections v on v.id = b.id
   where w.workspace_id = $1 and w.business_id = $2 and w.removed_at is null
     and (w.sees_unpublished or b.publication_status = 'published')`,
)

interface Classification {
  classification_id: Id<'cls'>
  scheme: 'naics'
  code: string
  vintage: '1997' | '2002' | '2007' | '2012' | '2017' | '2022'
  title: string | null
  is_primary: boolean
  published: boolean
}

const classifications = readOpen<Classification>(
  'classifications_of_business',
  `select c.id as classification_id, c.scheme, c.code, c.vintage, n.title, c.is_primary, c.published
   from business_classifications c left join naics_codes n on n.vintage = c.vintage and n.code = c.code
   where c.business_id = $1 and (c.published or not $2)
   order by c.is_primary desc, c.id`,
)

interface Location {
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

const locations = readOpen<Location>(
  'locations_of_business',
  `select id as location_id, kind, country_code, state, city, postal_code, line1, is_primary, published
   from business_locations
   where business_id = $1 and (published or not $2)
   order by is_primary desc, id`,
)

const identifiers = readOpen<{ scheme: string; value: string; published: boolean }>(
  'identifiers_of_business',
  `select scheme, value, published from business_identifiers
   where business_id = $1 and (published or not $2)
   order by scheme, value`,
)
