import { newId } from '@wbs/contract/ids'
import type { SourceKind } from '@wbs/contract/workspace-businesses'
import { readOpen, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { OpenedBusiness } from './business-access.ts'
import { classificationFacts, locationFacts, type FactName, type Facts } from './business-facts.ts'
import { foldCity, foldName } from './fold.ts'

/** A change of facts, as it is saved. */
export interface FactChange {
  after: Facts & { founded_year: number | null }
  changed: readonly FactName[]
  /** Who says so, for the Workspace; kind and url for whoever may read provenance. */
  statement: { workspace_id: string; user_id: string; kind: SourceKind; url?: string; note?: string } | null
  now: Date
}

/** Saves changed facts of a Business under its next revision, with what backs them, and brings its projection in line. */
export function saveFacts(tx: Transaction, business: OpenedBusiness<'edit'>, change: FactChange): void {
  const { after, changed, now } = change
  const has = (names: readonly FactName[]) => names.some(name => changed.includes(name))
  tx.save(factsUpdate, [
    business.id,
    after.name,
    foldName(after.name),
    after.legal_name,
    after.status,
    after.closed_on,
    after.description,
    after.founded_on,
    after.founded_year,
    after.public_email,
    after.public_phone,
    after.website_url,
    after.country_code,
    changed,
    now,
  ])
  if (has(locationFacts)) saveLocation(tx, business.id, after, business.published_at !== null)
  if (has(classificationFacts)) saveClassification(tx, business.id, after, business.published_at !== null)
  saveSources(tx, business, change)
  tx.save(businessProject, [[business.id]])
}

/** The Workspaces that have one of these Businesses in a Room that is not archived. */
export const workspacesWithRooms = (reader: Reader, business_ids: readonly string[]) =>
  reader.many(roomsOfBusinesses, [business_ids])

/** The first facts of a Business that is made now: a draft, with no parts published. */
export function insertBusiness(tx: Transaction, id: string, facts: Facts, now: Date): void {
  const { name, status, website_url, country_code } = facts
  tx.save(businessInsert, [id, name, foldName(name), status, website_url, country_code, now])
  saveLocation(tx, id, facts, false)
  saveClassification(tx, id, facts, false)
}

/** Publishes a Business. Its primary parts go public with it the first time; later ones are what they were. */
export function savePublished(tx: Transaction, business: OpenedBusiness<'full_access'>, now: Date): void {
  tx.save(businessPublish, [business.id, now])
  if (business.published_at === null) {
    tx.save(locationPublish, [business.id])
    tx.save(classificationPublish, [business.id])
  }
  tx.save(businessProject, [[business.id]])
}

/** Takes a published Business back. */
export function saveWithdrawn(tx: Transaction, business: OpenedBusiness<'full_access'>, now: Date): void {
  tx.save(businessWithdraw, [business.id, now])
  tx.save(businessProject, [[business.id]])
}

/** One that says nothing is none. */
function saveLocation(tx: Transaction, id: string, facts: Facts, published: boolean): void {
  const { country_code, state, city, postal_code, line1 } = facts
  if ((state ?? city ?? postal_code ?? line1) === null) tx.save(locationDelete, [id])
  else
    tx.save(locationSave, [
      newId('loc'),
      id,
      country_code,
      state,
      city,
      city === null ? null : foldCity(city),
      postal_code,
      line1,
      published,
    ])
}

function saveClassification(tx: Transaction, id: string, facts: Facts, published: boolean): void {
  if (facts.naics_code === null) tx.save(classificationDelete, [id])
  else tx.save(classificationSave, [newId('cls'), id, facts.naics_code, facts.naics_vintage, published])
}

/** What backed the fact before backs it no longer; what is cleared, nothing does. */
function saveSources(tx: Transaction, business: OpenedBusiness<'edit'>, change: FactChange): void {
  const { after, changed, statement, now } = change
  tx.save(recordsDisowned, [business.id, changed])
  tx.save(factSourcesForget, [business.id, changed])
  if (!statement) return
  const { workspace_id, user_id, kind, url = null, note = null } = statement
  const standing = changed.filter(name => after[name] !== null)
  tx.save(factSourcesSave, [business.id, standing, kind, url, now])
  tx.save(statementInsert, [
    workspace_id,
    business.id,
    business.revision + 1,
    changed,
    kind,
    url,
    note,
    user_id,
    now,
  ])
}

const roomsOfBusinesses = readOpen<{ business_id: string; workspace_id: string }>(
  'workspaces_with_rooms',
  'select business_id, workspace_id from workspaces_with_rooms($1)',
)

const factsUpdate = write(
  'business_facts_update',
  `update businesses set revision = revision + 1, updated_at = $15, name = $2, name_folded = $3, legal_name = $4,
     status = $5, closed_on = $6, description = $7, founded_on = $8, founded_year = $9, public_email = $10,
     public_phone = $11, website_url = $12, country_code = $13,
     field_revisions = coalesce(field_revisions, '{}')
       || (select jsonb_object_agg(field, revision + 1) from unnest($14::text[]) as f (field))
   where id = $1`,
)

const businessInsert = write(
  'business_insert',
  `insert into businesses (id, name, name_folded, status, website_url, country_code, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)

const businessPublish = write(
  'business_publish',
  `update businesses set publication_status = 'published', published_at = coalesce(published_at, $2),
     revision = revision + 1, updated_at = $2,
     field_revisions = coalesce(field_revisions, '{}') || jsonb_build_object('publication_status', revision + 1)
   where id = $1`,
)

const businessWithdraw = write(
  'business_withdraw',
  `update businesses set publication_status = 'withdrawn', revision = revision + 1, updated_at = $2,
     field_revisions = coalesce(field_revisions, '{}') || jsonb_build_object('publication_status', revision + 1)
   where id = $1`,
)

const locationPublish = write(
  'business_location_publish',
  'update business_locations set published = true where business_id = $1 and is_primary',
)
const classificationPublish = write(
  'business_classification_publish',
  'update business_classifications set published = true where business_id = $1 and is_primary',
)

const locationDelete = write(
  'business_location_delete',
  'delete from business_locations where business_id = $1 and is_primary',
)
const locationSave = write(
  'business_location_save',
  `insert into business_locations (id, business_id, kind, country_code, state, city, city_folded, postal_code, line1, is_primary, published)
   values ($1, $2, 'principal', $3, $4, $5, $6, $7, $8, true, $9)
   on conflict (business_id) where is_primary do update
     set country_code = excluded.country_code, state = excluded.state, city = excluded.city,
       city_folded = excluded.city_folded, postal_code = excluded.postal_code, line1 = excluded.line1`,
)

const classificationDelete = write(
  'business_classification_delete',
  'delete from business_classifications where business_id = $1 and is_primary',
)
const classificationSave = write(
  'business_classification_save',
  `insert into business_classifications (id, business_id, scheme, code, vintage, is_primary, published)
   values ($1, $2, 'naics', $3, $4, true, $5)
   on conflict (business_id) where is_primary do update set code = excluded.code, vintage = excluded.vintage`,
)

const recordsDisowned = write(
  'business_sources_disown',
  `update business_sources set fields = array(
     select field from unnest(fields) with ordinality as f (field, place) where field <> all ($2) order by place)
   where business_id = $1 and fields && $2::text[]`,
)
const factSourcesForget = write(
  'business_fact_sources_forget',
  'delete from business_fact_sources where business_id = $1 and field = any ($2)',
)
const factSourcesSave = write(
  'business_fact_sources_save',
  `insert into business_fact_sources (business_id, field, kind, url, observed_on)
   select $1, field, $3, $4, ($5::timestamptz at time zone 'UTC')::date from unnest($2::text[]) as f (field)`,
)
const statementInsert = write(
  'business_fact_statement_insert',
  `insert into business_fact_statements (workspace_id, business_id, revision, fields, kind, url, note, recorded_by, recorded_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

const businessProject = write('business_project', 'select project_businesses($1)')
