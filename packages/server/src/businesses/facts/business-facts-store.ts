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
  tx.save(factsUpdate, {
    ...after,
    business_id: business.id,
    revision: business.revision,
    name_folded: foldName(after.name),
    description_folded: storedFold(after.description),
    changed,
    now,
  })
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
  reader.many(roomsOfBusinesses, { business_ids })

/**
 * Whether a published Business, which the Workspace may edit, is in an active Room of any Workspace. For other Businesses it is
 * not evaluated, so that the duration reveals nothing.
 */
export const isInRooms = async (
  reader: Reader,
  workspace_id: string,
  business_id: string,
): Promise<boolean> => (await reader.one(editableInRooms, { workspace_id, business_id })) !== undefined

/** Inserts a new Business: a draft whose parts are not published. */
export function insertBusiness(
  tx: Transaction,
  id: Id<'biz'>,
  facts: Facts,
  naics_title: string | null,
  now: Date,
): FullBusiness {
  const { name, status, website_url, country_code } = facts
  tx.save(businessInsert, {
    business_id: id,
    name,
    name_folded: foldName(name),
    status,
    website_url,
    country_code,
    now,
  })
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
  tx.save(businessPublish, { business_id: business.id, now, revision: business.revision })
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
  tx.save(businessWithdraw, { business_id: business.id, now, revision: business.revision })
  project(tx, business.id, by)
  return { ...business, ...nextRevision(business, now), publication_status: 'withdrawn' }
}

/** Brings what everybody reads in line with the facts. */
function project(tx: Transaction, business_id: string, by: ChangedBy): void {
  tx.save(businessProject, { business_ids: [business_id] })
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
  tx.save(recordFieldsRemove, { business_id: business.id, fields: changed })
  tx.save(factSourcesDelete, { business_id: business.id, fields: changed })
  if (!statement) return
  const { workspace_id, user_id, kind, url = null, note = null } = statement
  const withValue = changed.filter(name => after[name] !== null)
  tx.save(factSourcesSave, { business_id: business.id, fields: withValue, kind, url, now })
  tx.save(statementInsert, {
    workspace_id,
    business_id: business.id,
    revision: business.revision + 1,
    fields: changed,
    kind,
    url,
    note,
    user_id,
    now,
  })
}

const roomsOfBusinesses = readUnscoped<{ business_id: string; workspace_id: string }>(
  'workspaces_with_rooms',
  'select business_id, workspace_id from workspaces_with_rooms(:business_ids)',
)

const editableInRooms = read<object>(
  'editable_business_in_rooms',
  `select from workspace_businesses w
   join businesses b on b.id = w.business_id and b.publication_status = 'published'
   cross join lateral (select from workspaces_with_rooms(array[b.id]) limit 1) in_room
   where w.workspace_id = :workspace_id and w.business_id = :business_id and w.removed_at is null and w.access_level <> 'view'`,
)

const factsUpdate = updateRevision(
  'business_facts_update',
  `update businesses set revision = revision + 1, updated_at = :now, name = :name, name_folded = :name_folded,
     legal_name = :legal_name, status = :status, closed_on = :closed_on,
     description = :description, description_folded = :description_folded,
     founded_on = :founded_on, founded_year = :founded_year,
     public_email = :public_email, public_phone = :public_phone, website_url = :website_url, country_code = :country_code,
     field_revisions = coalesce(field_revisions, '{}')
       || (select jsonb_object_agg(field, revision + 1) from unnest(:changed::text[]) as f (field))
   where id = :business_id and revision = :revision`,
)

const businessInsert = write(
  'business_insert',
  `insert into businesses (id, name, name_folded, status, website_url, country_code, created_at, updated_at)
   values (:business_id, :name, :name_folded, :status, :website_url, :country_code, :now, :now)`,
)

const businessPublish = updateRevision(
  'business_publish',
  `update businesses set publication_status = 'published', published_at = coalesce(published_at, :now),
     revision = revision + 1, updated_at = :now,
     field_revisions = coalesce(field_revisions, '{}') || jsonb_build_object('publication_status', revision + 1)
   where id = :business_id and revision = :revision`,
)

const businessWithdraw = updateRevision(
  'business_withdraw',
  `update businesses set publication_status = 'withdrawn', revision = revision + 1, updated_at = :now,
     field_revisions = coalesce(field_revisions, '{}') || jsonb_build_object('publication_status', revision + 1)
   where id = :business_id and revision = :revision`,
)

const recordFieldsRemove = write(
  'business_sources_remove_fields',
  `update business_sources set fields = array(
     select field from unnest(fields) with ordinality as f (field, place) where field <> all (:fields) order by place)
   where business_id = :business_id and fields && :fields::text[]`,
)
const factSourcesDelete = write(
  'business_fact_sources_delete',
  'delete from business_fact_sources where business_id = :business_id and field = any (:fields)',
)
const factSourcesSave = write(
  'business_fact_sources_save',
  `insert into business_fact_sources (business_id, field, kind, url, observed_on)
   select :business_id, field, :kind, :url, (:now::timestamptz at time zone 'UTC')::date
   from unnest(:fields::text[]) as f (field)`,
)
const statementInsert = write(
  'business_fact_statement_insert',
  `insert into business_fact_statements (workspace_id, business_id, revision, fields, kind, url, note, recorded_by, recorded_at)
   values (:workspace_id, :business_id, :revision, :fields, :kind, :url, :note, :user_id, :now)`,
)

const businessProject = write('business_project', 'select project_businesses(:business_ids)')
