import type { Id } from '@wbs/contract/ids'
import type { SourceKind } from '@wbs/contract/businesses/input'
import { read, readUnscoped, updateRevision, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { notePublicChange } from '../../database/replicas/public-changes.ts'
import type { OpenedBusiness } from '../business-access.ts'
import { classificationFacts, locationFacts, type FactName, type Facts } from '../business-facts.ts'
import {
  publishPrimaryParts,
  saveClassification,
  saveLocation,
  withPrimaryPublished,
} from '../business-parts-store.ts'
import type { FullBusiness } from '../business-record.ts'
import { foldName, storedFold } from '../fold.ts'

/** A change of facts to save. */
export interface FactChange {
  after: Facts & { founded_year: number | null }
  changed: readonly FactName[]
  /** The title of the NAICS code, if the code changed. */
  naics_title: string | null
  /** The source that the caller named. Kind and url become provenance; the rest stays private to the Workspace. */
  statement: { workspace_id: string; user_id: string; kind: SourceKind; url?: string; note?: string } | null
  by: ChangedBy
  now: Date
}

/** The member who makes a change. */
export interface ChangedBy {
  workspace_id: string
  user_id: string
}

/** Saves changed facts as the next revision of a Business, with their sources, and updates its projection. */
export function saveFacts(
  tx: Transaction,
  business: OpenedBusiness<'edit'>,
  change: FactChange,
): FullBusiness {
  const { after, changed, naics_title, by, now } = change
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
    storedFold(after.description),
    business.revision,
  ])
  const { locations, classifications } = business
  const saved = {
    ...business,
    ...after,
    ...nextRevision(business, now),
    own_country_code: after.country_code,
    locations: has(locationFacts) ? saveLocation(tx, business, after) : locations,
    classifications: has(classificationFacts)
      ? saveClassification(tx, business, after, naics_title)
      : classifications,
  }
  saveSources(tx, business, change)
  project(tx, business.id, by)
  return saved
}

/** The Workspaces with an active Room that has one of these Businesses. */
export const workspacesWithRooms = (reader: Reader, business_ids: readonly string[]) =>
  reader.many(roomsOfBusinesses, [business_ids])

/**
 * Whether a published Business, which the Workspace may edit, is in an active Room of any Workspace. For other Businesses it is
 * not evaluated, so that the duration reveals nothing.
 */
export const isInRooms = async (
  reader: Reader,
  workspace_id: string,
  business_id: string,
): Promise<boolean> => (await reader.one(editableInRooms, [workspace_id, business_id])) !== undefined

/** Inserts a new Business: a draft whose parts are not published. */
export function insertBusiness(
  tx: Transaction,
  id: Id<'biz'>,
  facts: Facts,
  naics_title: string | null,
  now: Date,
): FullBusiness {
  const { name, status, website_url, country_code } = facts
  tx.save(businessInsert, [id, name, foldName(name), status, website_url, country_code, now])
  const business = { ...newBusiness, ...facts, id, own_country_code: country_code, ...createdAt(now) }
  return {
    ...business,
    locations: saveLocation(tx, business, facts),
    classifications: saveClassification(tx, business, facts, naics_title),
  }
}

const newBusiness = {
  publication_status: 'draft',
  published_at: null,
  founded_year: null,
  merged_into_id: null,
  classifications: [],
  locations: [],
  identifiers: [],
} as const

const createdAt = (now: Date) => ({
  revision: 1,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
})

/** Publishes a Business. The first time, its primary parts are published with it; later they keep their state. */
export function savePublished(
  tx: Transaction,
  business: OpenedBusiness<'full_access'>,
  by: ChangedBy,
  now: Date,
): FullBusiness {
  tx.save(businessPublish, [business.id, now, business.revision])
  const isFirst = business.published_at === null
  if (isFirst) publishPrimaryParts(tx, business.id)
  project(tx, business.id, by)
  return {
    ...business,
    ...nextRevision(business, now),
    publication_status: 'published',
    ...(isFirst && {
      published_at: now.toISOString(),
      locations: withPrimaryPublished(business.locations),
      classifications: withPrimaryPublished(business.classifications),
    }),
  }
}

/** Withdraws a published Business. */
export function saveWithdrawn(
  tx: Transaction,
  business: OpenedBusiness<'full_access'>,
  by: ChangedBy,
  now: Date,
): FullBusiness {
  tx.save(businessWithdraw, [business.id, now, business.revision])
  project(tx, business.id, by)
  return { ...business, ...nextRevision(business, now), publication_status: 'withdrawn' }
}

/** Brings what everybody reads in line with the facts. */
function project(tx: Transaction, business_id: string, by: ChangedBy): void {
  tx.save(businessProject, [[business_id]])
  notePublicChange(tx, by)
}

/** What every change of a Business changes. */
const nextRevision = ({ revision }: FullBusiness, now: Date) => ({
  revision: revision + 1,
  updated_at: now.toISOString(),
})

/** Replaces the sources of the changed facts. A fact that was cleared has no source. */
function saveSources(tx: Transaction, business: OpenedBusiness<'edit'>, change: FactChange): void {
  const { after, changed, statement, now } = change
  tx.save(recordFieldsRemove, [business.id, changed])
  tx.save(factSourcesDelete, [business.id, changed])
  if (!statement) return
  const { workspace_id, user_id, kind, url = null, note = null } = statement
  const withValue = changed.filter(name => after[name] !== null)
  tx.save(factSourcesSave, [business.id, withValue, kind, url, now])
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

const roomsOfBusinesses = readUnscoped<{ business_id: string; workspace_id: string }>(
  'workspaces_with_rooms',
  'select business_id, workspace_id from workspaces_with_rooms($1)',
)

const editableInRooms = read<object>(
  'editable_business_in_rooms',
  `select from workspace_businesses w
   join businesses b on b.id = w.business_id and b.publication_status = 'published'
   cross join lateral (select from workspaces_with_rooms(array[b.id]) limit 1) in_room
   where w.workspace_id = $1 and w.business_id = $2 and w.removed_at is null and w.access_level <> 'view'`,
)

const factsUpdate = updateRevision(
  'business_facts_update',
  `update businesses set revision = revision + 1, updated_at = $15, name = $2, name_folded = $3, legal_name = $4,
     status = $5, closed_on = $6, description = $7, description_folded = $16, founded_on = $8, founded_year = $9, public_email = $10,
     public_phone = $11, website_url = $12, country_code = $13,
     field_revisions = coalesce(field_revisions, '{}')
       || (select jsonb_object_agg(field, revision + 1) from unnest($14::text[]) as f (field))
   where id = $1 and revision = $17`,
)

const businessInsert = write(
  'business_insert',
  `insert into businesses (id, name, name_folded, status, website_url, country_code, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)

const businessPublish = updateRevision(
  'business_publish',
  `update businesses set publication_status = 'published', published_at = coalesce(published_at, $2),
     revision = revision + 1, updated_at = $2,
     field_revisions = coalesce(field_revisions, '{}') || jsonb_build_object('publication_status', revision + 1)
   where id = $1 and revision = $3`,
)

const businessWithdraw = updateRevision(
  'business_withdraw',
  `update businesses set publication_status = 'withdrawn', revision = revision + 1, updated_at = $2,
     field_revisions = coalesce(field_revisions, '{}') || jsonb_build_object('publication_status', revision + 1)
   where id = $1 and revision = $3`,
)

const recordFieldsRemove = write(
  'business_sources_remove_fields',
  `update business_sources set fields = array(
     select field from unnest(fields) with ordinality as f (field, place) where field <> all ($2) order by place)
   where business_id = $1 and fields && $2::text[]`,
)
const factSourcesDelete = write(
  'business_fact_sources_delete',
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
