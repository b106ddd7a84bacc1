import type pg from 'pg'
import { factsInRooms, roomNotificationJobs } from './notify-rooms.ts'
import type { Range, Run } from './run.ts'

/**
 * Updates the Businesses of a range of `changed_rows` in the transaction of the connection, and queues the jobs that notify
 * Rooms of changed public facts.
 */
export async function writeChanged(client: pg.Client, run: Run, { from, to }: Range): Promise<void> {
  const statements = updateStatements(run)
  await client.query(lockChangedSql, [from, to])
  const before = await factsInRooms(client, { from, to })
  for (const statement of statements) await client.query(statement, [from, to])
  await run.sendJobs(client, await roomNotificationJobs(client, before))
}

// In the order of ids, as all writers of several Businesses lock them, to prevent deadlocks.
const lockChangedSql = `select from businesses where id in (select business_id from changed_rows where n between $1 and $2)
   order by id for update`

// The fold belongs to the description that mergedFieldSql keeps.
const mergedDescriptionFoldSql = `case when r.description is not null then r.description_folded
       when 'description' = any (r.earlier_fields) then null else b.description_folded end`

/** A record sets the fields that it has now and clears those that it had before; other fields keep their values. */
const updateStatements = ({ publish, startedAt }: Run): string[] => [
  `update businesses b set
     revision = b.revision + 1, updated_at = ${startedAt}, name = r.name, name_folded = r.name_folded,
     legal_name = ${mergedFieldSql('legal_name')}, status = coalesce(${mergedFieldSql('status')}, 'unknown'),
     founded_on = case when r.founded_year is null then ${mergedFieldSql('founded_on')} else r.founded_on end,
     founded_year = ${mergedFieldSql('founded_year')},
     closed_on = case when r.status <> 'closed' then null else ${mergedFieldSql('closed_on')} end,
     description = ${mergedFieldSql('description')}, description_folded = ${mergedDescriptionFoldSql},
     public_email = ${mergedFieldSql('public_email')},
     public_phone = ${mergedFieldSql('public_phone')}, website_url = ${mergedFieldSql('website_url')},
     country_code = coalesce(${mergedFieldSql('country_code')}, 'US'),
     publication_status = case when r.is_published_now then 'published' else b.publication_status end,
     published_at = case when r.is_published_now then ${startedAt} else b.published_at end,
     field_revisions = coalesce(b.field_revisions, '{}') || coalesce(
       (select jsonb_object_agg(field, b.revision + 1) from unnest(r.fields || r.earlier_fields) as f (field)), '{}')
   from changed_rows r where r.n between $1 and $2 and b.id = r.business_id`,
  `delete from business_classifications c using changed_rows r
   where r.n between $1 and $2 and c.business_id = r.business_id and c.is_primary
     and r.naics_code is null and 'naics_code' = any (r.earlier_fields)`,
  `insert into business_classifications (id, business_id, scheme, code, vintage, is_primary, published)
   select 'cls_' || body, business_id, 'naics', naics_code, naics_vintage, true, ${publish}
   from changed_rows r where n between $1 and $2 and naics_code is not null order by n
   on conflict (business_id) where is_primary do update
     set code = excluded.code, vintage = excluded.vintage`,
  `delete from business_locations l using changed_rows r
   where r.n between $1 and $2 and l.business_id = r.business_id and l.is_primary
     and ${anyLocationFieldSql} is null and array['state', 'city', 'postal_code', 'line1'] && r.earlier_fields`,
  `insert into business_locations (id, business_id, kind, country_code, state, state_folded, city, city_folded,
     postal_code, line1, is_primary, published)
   select 'loc_' || body, business_id, 'principal', coalesce(country_code, 'US'), state, state_folded, city, city_folded,
     postal_code, line1, true, ${publish}
   from changed_rows r where n between $1 and $2 and ${anyLocationFieldSql} is not null order by n
   on conflict (business_id) where is_primary do update
     set country_code = excluded.country_code, state = excluded.state,
       state_folded = excluded.state_folded, city = excluded.city,
       city_folded = excluded.city_folded, postal_code = excluded.postal_code, line1 = excluded.line1`,
  `insert into business_identifiers (business_id, scheme, value, published)
   select r.business_id, s.identifier_scheme, substr(r.source_id, length(s.identifier_prefix) + 1), ${publish}
   from changed_rows r join sources s on s.source = r.source and starts_with(r.source_id, s.identifier_prefix)
   where r.n between $1 and $2 and s.identifier_scheme is not null order by n
   on conflict do nothing`,
  ...['business_classifications', 'business_locations'].map(
    table => `update ${table} t set published = true from changed_rows r
     where r.n between $1 and $2 and r.is_published_now and t.business_id = r.business_id and t.is_primary`,
  ),
  `update business_identifiers i set published = true from changed_rows r
   where r.n between $1 and $2 and r.is_published_now and i.business_id = r.business_id`,
  `update business_sources o set fields = r.fields, digest = r.digest
   from changed_rows r where r.n between $1 and $2 and o.source = r.source and o.source_id = r.source_id`,
  // The source that a Workspace named for a field does not apply to the value of the record.
  `delete from business_fact_sources s using changed_rows r
   where r.n between $1 and $2 and s.business_id = r.business_id and s.field = any (r.fields || r.earlier_fields)`,
  'select project_businesses(array(select business_id from changed_rows where n between $1 and $2 order by n))',
]

const anyLocationFieldSql = 'coalesce(r.state, r.city, r.postal_code, r.line1)'

/** The new value of a field. `earlier_fields` lists the fields that the record had at the last import. */
function mergedFieldSql(field: string): string {
  return `coalesce(r.${field}, case when '${field}' = any (r.earlier_fields) then null else b.${field} end)`
}
