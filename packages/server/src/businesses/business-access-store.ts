import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { mayLockForSql } from '../database/locks.ts'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { Facts } from './business-facts.ts'
import type { FullBusiness } from './business-record.ts'
import { partsColumnsSql } from './business-store.ts'

/** What decides whether a Workspace can see a Business. */
export interface BusinessVisibility {
  publication_status: 'draft' | 'published' | 'withdrawn' | 'merged'
  /** Everybody can see it: it is published, or was merged after it had been published. */
  is_public: boolean
  /** Null if the Workspace has no link to it, or has removed it. */
  access_level: AccessLevel | null
  sees_unpublished: boolean | null
}

/** The visibility of a Business; undefined if there is no such Business. */
export const visibilityOf = (reader: Reader, workspace_id: string, business_id: string) =>
  reader.one(visibilityById, { workspace_id, business_id })

/** The facts of a Business, and what decides who can read them. */
export interface StoredFacts extends Facts {
  id: Id<'biz'>
  revision: number
  publication_status: BusinessVisibility['publication_status']
  published_at: string | null
  /** The year of the founding, which may be known without the day. */
  founded_year: number | null
  field_revisions: Record<string, number> | null
  location_id: string | null
  location_published: boolean | null
  classification_id: string | null
  classification_published: boolean | null
}

/** A Business that a Workspace can see, with all its facts and parts, and the level of the Workspace. */
export type VisibleBusiness = StoredFacts & FullBusiness & Pick<BusinessVisibility, 'access_level'>

/** A Business in full, if the Workspace can see it. */
export const fullBusiness = (
  reader: Reader,
  workspace_id: string,
  business_id: string,
): Promise<VisibleBusiness | undefined> => reader.one(fullBusinessById, { workspace_id, business_id })

/**
 * Locks the link to a Business shared, then the Business exclusively if the Workspace can see it and has one of these levels,
 * and reads it under the locks. A Business that the Workspace may not change is not locked, because the delay would reveal the
 * work of others. `seal` identifies the standing that the transaction has checked; for another standing nothing is locked.
 */
export async function lockBusiness(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  levels: readonly AccessLevel[],
  seal: string,
): Promise<{ isLocked: boolean; business: VisibleBusiness | undefined }> {
  const [, locked, business] = await Promise.all([
    tx.run(linkLocks.keep, { workspace_id, business_id, seal }),
    tx.run(businessLock, { workspace_id, business_id, seal, levels }),
    fullBusiness(tx, workspace_id, business_id),
  ])
  return { isLocked: locked.length > 0, business }
}

export interface LinkRow {
  access_level: AccessLevel
  sees_unpublished: boolean
  removed_at: string | null
}

/** Whether a change keeps a link as it is, or changes the link or something that belongs to it. */
export type LinkUse = 'keep' | 'change'

/** Locks the link to a Business, including a removed one, for the standing with this seal. */
export async function lockLink(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  use: LinkUse,
  seal: string,
): Promise<LinkRow | undefined> {
  const values = { workspace_id, business_id, seal }
  const [, [row]] = await Promise.all([tx.run(linkLocks[use], values), tx.run(links[use], values)])
  return row
}

/**
 * Locks a published Business shared, so that it stays published, for the standing with this seal. Returns whether it is
 * published. A Business that the link shows unpublished, too, is not locked.
 */
export async function lockPublished(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  seal: string,
): Promise<boolean> {
  const [locked, visibility] = await Promise.all([
    tx.run(publishedLock, { workspace_id, business_id, seal }),
    visibilityOf(tx, workspace_id, business_id),
  ])
  return locked.length > 0 && visibility?.publication_status === 'published'
}

/** Whether everybody can see the Business `b`. */
const isPublicSql = `(b.publication_status = 'published' or (b.publication_status = 'merged' and b.published_at is not null))`

const visibilityById = read<BusinessVisibility>(
  'business_visibility',
  `select b.publication_status, w.access_level, w.sees_unpublished, ${isPublicSql} as is_public
   from businesses b
   left join workspace_businesses w on w.workspace_id = :workspace_id and w.business_id = b.id and w.removed_at is null
   where b.id = :business_id`,
)

/** Whether a Business is in the list of the Workspace. */
export const isLinked = async (reader: Reader, workspace_id: string, business_id: string): Promise<boolean> =>
  (await reader.one(linked, { workspace_id, business_id })) !== undefined

const linked = read<object>(
  'workspace_business_linked',
  'select from workspace_businesses where workspace_id = :workspace_id and business_id = :business_id and removed_at is null',
)

/** Whether a Business is, or was, in the list of the Workspace. */
export const wasEverLinked = async (
  reader: Reader,
  workspace_id: string,
  business_id: string,
): Promise<boolean> => (await reader.one(everLinked, { workspace_id, business_id })) !== undefined

const everLinked = read<object>(
  'workspace_business_ever_linked',
  'select from workspace_businesses where workspace_id = :workspace_id and business_id = :business_id',
)

// The row is locked as well, because earlier versions of the service lock only the row.
const businessLock = write<object>(
  'business_lock',
  `with visible as materialized (
     select b.id from businesses b
     join workspace_businesses w on w.workspace_id = :workspace_id and w.business_id = b.id and w.removed_at is null
     where b.id = :business_id and ${mayLockForSql(':seal::text')} and w.access_level = any (:levels)
       and (w.sees_unpublished or ${isPublicSql})
   ), locked as materialized (
     select pg_advisory_xact_lock(lock_number('business', null, id)) from visible
   )
   select from businesses where id = (select id from visible) and (select count(*) from locked) = 1 for update`,
)

const publishedLock = write<object>(
  'business_published_lock',
  `select pg_advisory_xact_lock_shared(lock_number('business', null, b.id)) from businesses b
   where b.id = :business_id and b.publication_status = 'published' and ${mayLockForSql(':seal::text')}
     and not exists (
       select from workspace_businesses w
       where w.workspace_id = :workspace_id and w.business_id = b.id and w.sees_unpublished)`,
)

/** The columns of StoredFacts, in a statement on `tablesOfFactsSql`. */
export const factColumnsSql = `b.id, b.revision, b.publication_status, b.published_at, b.founded_year, b.field_revisions,
     b.name, b.legal_name, b.status, b.closed_on, b.description, b.founded_on, b.public_email, b.public_phone,
     b.website_url, coalesce(l.country_code, b.country_code) as country_code,
     l.id as location_id, l.published as location_published, l.state, l.city, l.postal_code, l.line1,
     c.id as classification_id, c.published as classification_published, c.code as naics_code, c.vintage as naics_vintage`

/** The Businesses `b` with what their facts are read from. */
export const tablesOfFactsSql = `businesses b
   left join business_locations l on l.business_id = b.id and l.is_primary
   left join business_classifications c on c.business_id = b.id and c.is_primary`

const fullBusinessById = read<VisibleBusiness>(
  'business_in_full',
  `select ${factColumnsSql}, b.country_code as own_country_code, b.merged_into_id, b.created_at, b.updated_at, w.access_level,
     ${partsColumnsSql('b.id')}
   from ${tablesOfFactsSql}
   left join workspace_businesses w on w.workspace_id = :workspace_id and w.business_id = b.id and w.removed_at is null
   where b.id = :business_id and (w.sees_unpublished or ${isPublicSql})`,
)

const linkLocks = {
  keep: write(
    'business_link_keep',
    `select pg_advisory_xact_lock_shared(lock_number('business_link', :workspace_id, :business_id))
     where ${mayLockForSql(':seal::text')}`,
  ),
  change: write(
    'business_link_change',
    `select pg_advisory_xact_lock(lock_number('business_link', :workspace_id, :business_id))
     where ${mayLockForSql(':seal::text')}`,
  ),
}

const linkSql = `select access_level, sees_unpublished, removed_at from workspace_businesses
   where workspace_id = :workspace_id and business_id = :business_id and ${mayLockForSql(':seal::text')}`
const links = {
  keep: read<LinkRow>('workspace_business_kept', linkSql),
  change: write<LinkRow>('workspace_business_change', `${linkSql} for no key update`),
}
