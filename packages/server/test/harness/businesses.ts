import { newId } from '@wbs/contract/ids'
import { foldCity, foldName } from '../../src/businesses/fold.ts'
import type { TestService } from './service.ts'

/** Facts of a Business that a test needs; the rest is made up plainly. */
export interface BusinessFacts {
  name: string
  publication_status?: 'draft' | 'published' | 'withdrawn' | 'merged'
  status?: 'active' | 'closed' | 'inactive' | 'unknown'
  state?: string | null
  city?: string | null
  location_published?: boolean
  naics_code?: string
  naics_vintage?: string
  classification_published?: boolean
  website_url?: string
  public_email?: string
  description?: string
  merged_into_id?: string
}

/** Puts a Business into the registry as an import would, and gives its id. */
export async function addBusiness({ sql }: Pick<TestService, 'sql'>, facts: BusinessFacts): Promise<string> {
  const id = newId('biz')
  const publication = facts.publication_status ?? 'published'
  await sql(
    `insert into businesses (id, name, name_folded, publication_status, status, website_url, public_email, description, published_at, merged_into_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $4 = 'draft' then null else now() end, $9)`,
    [
      id,
      facts.name,
      foldName(facts.name),
      publication,
      facts.status ?? 'active',
      facts.website_url,
      facts.public_email,
      facts.description,
      facts.merged_into_id,
    ],
  )
  if (facts.state !== undefined || facts.city !== undefined)
    await sql(
      `insert into business_locations (id, business_id, kind, country_code, state, city, city_folded, is_primary, published)
       values ($1, $2, 'principal', 'US', $3, $4, $5, true, $6)`,
      [
        newId('loc'),
        id,
        facts.state,
        facts.city,
        facts.city ? foldCity(facts.city) : null,
        facts.location_published ?? true,
      ],
    )
  if (facts.naics_code !== undefined)
    await sql(
      `insert into business_classifications (id, business_id, scheme, code, vintage, is_primary, published)
       values ($1, $2, 'naics', $3, $4, true, $5)`,
      [
        newId('cls'),
        id,
        facts.naics_code,
        facts.naics_vintage ?? '2022',
        facts.classification_published ?? true,
      ],
    )
  await sql(`select project_businesses(array[$1])`, [id])
  return id
}

/** Records an observation past the service, and gives its id. */
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
