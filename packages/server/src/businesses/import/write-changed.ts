import type pg from 'pg'
import { factsInRooms, toTell } from './facts-in-rooms.ts'
import type { Range, Run } from './run.ts'

/**
 * Brings the Businesses of the rows from one number to another of `changed_rows` up to date, in the transaction that the
 * connection is in. Rooms that have them are told, by jobs, what everybody reads otherwise now.
 */
export async function writeChanged(client: pg.Client, run: Run, { from, to }: Range): Promise<void> {
  const statements = bringUpToDate(run)
  await client.query(lockChanged, [from, to])
  const before = await factsInRooms(client, { from, to })
  for (const statement of statements) await client.query(statement, [from, to])
  await run.sendJobs(client, await toTell(client, before))
}

// In the order of ids, as every writer of several Businesses takes them, so that none waits for the other.
const lockChanged = `select from businesses where id in (select business_id from changed_rows where n between $1 and $2)
   order by id for update`

/** A record rules the fields it gives, and those it gave before: what it no longer says is cleared, what others said stays. */
const bringUpToDate = ({ publish, startedAt }: Run): string[] => [
  `update businesses b set
     revision = b.revision + 1, updated_at = ${startedAt}, name = r.name, name_folded = r.name_folded,
     legal_name = ${ruled('legal_name')}, status = coalesce(${ruled('status')}, 'unknown'),
     founded_on = case when r.founded_year is null then ${ruled('founded_on')} else r.founded_on end,
     founded_year = ${ruled('founded_year')},
     closed_on = case when r.status <> 'closed' then null else ${ruled('closed_on')} end,
     description = ${ruled('description')}, public_email = ${ruled('public_email')},
     public_phone = ${ruled('public_phone')}, website_url = ${ruled('website_url')},
     country_code = coalesce(${ruled('country_code')}, 'US'),
     publication_status = case when r.publishes then 'published' else b.publication_status end,
     published_at = case when r.publishes then ${startedAt} else b.published_at end,
     field_revisions = coalesce(b.field_revisions, '{}') || coalesce(
       (select jsonb_object_agg(field, b.revision + 1) from unnest(r.fields || r.gave) as f (field)), '{}')
   from changed_rows r where r.n between $1 and $2 and b.id = r.business_id`,
  `delete from business_classifications c using changed_rows r
   where r.n between $1 and $2 and c.business_id = r.business_id and c.is_primary
     and r.naics_code is null and 'naics_code' = any (r.gave)`,
  `insert into business_classifications (id, business_id, scheme, code, vintage, is_primary, published)
   select 'cls_' || body, business_id, 'naics', naics_code, naics_vintage, true, ${publish}
   from changed_rows r where n between $1 and $2 and naics_code is not null order by n
   on conflict (business_id) where is_primary do update
     set code = excluded.code, vintage = excluded.vintage`,
  `delete from business_locations l using changed_rows r
   where r.n between $1 and $2 and l.business_id = r.business_id and l.is_primary
     and ${place} is null and array['state', 'city', 'postal_code', 'line1'] && r.gave`,
  `insert into business_locations (id, business_id, kind, country_code, state, city, city_folded, postal_code, line1,
     is_primary, published)
   select 'loc_' || body, business_id, 'principal', coalesce(country_code, 'US'), state, city, city_folded, postal_code,
     line1, true, ${publish}
   from changed_rows r where n between $1 and $2 and ${place} is not null order by n
   on conflict (business_id) where is_primary do update
     set country_code = excluded.country_code, state = excluded.state, city = excluded.city,
       city_folded = excluded.city_folded, postal_code = excluded.postal_code, line1 = excluded.line1`,
  `insert into business_identifiers (business_id, scheme, value, published)
   select r.business_id, s.identifier_scheme, substr(r.source_id, length(s.identifier_prefix) + 1), ${publish}
   from changed_rows r join sources s on s.source = r.source and starts_with(r.source_id, s.identifier_prefix)
   where r.n between $1 and $2 and s.identifier_scheme is not null order by n
   on conflict do nothing`,
  ...['business_classifications', 'business_locations'].map(
    table => `update ${table} t set published = true from changed_rows r
     where r.n between $1 and $2 and r.publishes and t.business_id = r.business_id and t.is_primary`,
  ),
  `update business_identifiers i set published = true from changed_rows r
   where r.n between $1 and $2 and r.publishes and i.business_id = r.business_id`,
  `update business_sources o set fields = r.fields, digest = r.digest
   from changed_rows r where r.n between $1 and $2 and o.source = r.source and o.source_id = r.source_id`,
  // What a Workspace gave as the source of a field does not back what the record says of it.
  `delete from business_fact_sources s using changed_rows r
   where r.n between $1 and $2 and s.business_id = r.business_id and s.field = any (r.fields || r.gave)`,
  'select project_businesses(array(select business_id from changed_rows where n between $1 and $2 order by n))',
]

const place = 'coalesce(r.state, r.city, r.postal_code, r.line1)'

/** What a field becomes. `gave` lists the fields that the record gave the last time. */
function ruled(field: string): string {
  return `coalesce(r.${field}, case when '${field}' = any (r.gave) then null else b.${field} end)`
}
