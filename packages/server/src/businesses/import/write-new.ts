import type pg from 'pg'
import type { Range, Run } from './run.ts'

/**
 * Inserts the Businesses of a range of `new_rows` in the transaction of the connection. Rows are inserted in the order of ids,
 * so that the tables have the order in which search scans. A classification and a location have the same random part of the id
 * as their Business.
 */
export async function writeNew(client: pg.Client, run: Run, { from, to }: Range): Promise<void> {
  for (const statement of statements(run)) await client.query(statement, [from, to])
}

const statements = ({ publish, startedAt }: Run): string[] => [
  `insert into businesses (id, name, name_folded, legal_name, publication_status, status, founded_on, founded_year,
     closed_on, description, description_folded, public_email, public_phone, website_url, country_code, published_at,
     created_at, updated_at)
   select business_id, name, name_folded, legal_name, '${publish ? 'published' : 'draft'}', coalesce(status, 'unknown'),
     founded_on, founded_year, closed_on, description, description_folded, public_email, public_phone, website_url,
     coalesce(country_code, 'US'), ${publish ? startedAt : 'null'}, ${startedAt}, ${startedAt}
   from new_rows where n between $1 and $2 order by n`,
  `insert into business_classifications (id, business_id, scheme, code, vintage, is_primary, published)
   select 'cls_' || body, business_id, 'naics', naics_code, naics_vintage, true, ${publish}
   from new_rows where n between $1 and $2 and naics_code is not null order by n`,
  `insert into business_locations (id, business_id, kind, country_code, state, state_folded, city, city_folded,
     postal_code, line1, is_primary, published)
   select 'loc_' || body, business_id, 'principal', coalesce(country_code, 'US'), state, state_folded, city, city_folded,
     postal_code, line1, true, ${publish}
   from new_rows where n between $1 and $2 and coalesce(state, city, postal_code, line1) is not null order by n`,
  `insert into business_identifiers (business_id, scheme, value, published)
   select r.business_id, s.identifier_scheme, substr(r.source_id, length(s.identifier_prefix) + 1), ${publish}
   from new_rows r join sources s on s.source = r.source and starts_with(r.source_id, s.identifier_prefix)
   where r.n between $1 and $2 and s.identifier_scheme is not null order by n`,
  `insert into business_sources (source, source_id, business_id, fields, digest)
   select source, source_id, business_id, fields, digest from new_rows where n between $1 and $2 order by n`,
  publish
    ? 'select project_businesses(array(select business_id from new_rows where n between $1 and $2 order by n))'
    : 'select $1::bigint, $2::bigint',
]
