import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { mayLockForSql } from '../database/locks.ts'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { Facts } from './business-facts.ts'
import type { WholeBusiness } from './business-record.ts'
import { partsColumns } from './business-store.ts'

/** What a Workspace can see of a Business. */
export interface Sight {
  publication_status: 'draft' | 'published' | 'withdrawn' | 'merged'
  /** Everybody can: it is published, or was merged once it had been. */
  is_public: boolean
  /** Null where the Workspace has no link to it, or one that was removed. */
  access_level: AccessLevel | null
  sees_unpublished: boolean | null
}

/** What can be seen of a Business, or undefined where there is none of this id. */
export const sightOf = (reader: Reader, workspace_id: string, business_id: string) =>
  reader.one(sight, [workspace_id, business_id])

/** The facts of a Business, and what decides who reads them. */
export interface KnownFacts extends Facts {
  id: Id<'biz'>
  revision: number
  publication_status: Sight['publication_status']
  published_at: string | null
  /** Where no more than the year of the founding is known. */
  founded_year: number | null
  field_revisions: Record<string, number> | null
  location_id: string | null
  location_published: boolean | null
  classification_id: string | null
  classification_published: boolean | null
}

/** A Business that a Workspace sees, with its facts and all its parts, and what the Workspace may do with it. */
export type SeenBusiness = KnownFacts & WholeBusiness & Pick<Sight, 'access_level'>

/** A Business as it is, if the Workspace sees it. */
export const wholeBusiness = (
  reader: Reader,
  workspace_id: string,
  business_id: string,
): Promise<SeenBusiness | undefined> => reader.one(businessInFull, [workspace_id, business_id])

/**
 * Locks the link to a Business, which stays as it is, and behind it the Business, if the Workspace sees it and has one of these
 * levels on it; reads it behind the locks, and answers whether it is locked. What the Workspace may not change is not: how
 * long that takes would tell of others' work. Nothing is locked for another standing than the one that this transaction has
 * judged, by its seal.
 */
export async function lockBusiness(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  levels: readonly AccessLevel[],
  seal: string,
): Promise<{ isLocked: boolean; business: SeenBusiness | undefined }> {
  const [, locked, business] = await Promise.all([
    tx.run(linkLocks.keep, [workspace_id, business_id, seal]),
    tx.run(businessLock, [workspace_id, business_id, seal, levels]),
    wholeBusiness(tx, workspace_id, business_id),
  ])
  return { isLocked: locked.length > 0, business }
}

export interface LinkRow {
  access_level: AccessLevel
  sees_unpublished: boolean
  removed_at: string | null
}

/** To keep a link as it is, or to change it or what hangs on it. */
export type LinkUse = 'keep' | 'change'

/** Locks the link to a Business, a removed one too, for the standing with this seal alone. */
export async function lockLink(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  use: LinkUse,
  seal: string,
): Promise<LinkRow | undefined> {
  const values = [workspace_id, business_id, seal]
  const [, [row]] = await Promise.all([tx.run(linkLocks[use], values), tx.run(links[use], values)])
  return row
}

/**
 * Keeps a published Business published until the transaction ends, for the standing with this seal alone; answers whether it
 * is. One that the link shows whether or not it is published is not locked.
 */
export async function lockPublished(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  seal: string,
): Promise<boolean> {
  const [locked, sight] = await Promise.all([
    tx.run(publishedLock, [workspace_id, business_id, seal]),
    sightOf(tx, workspace_id, business_id),
  ])
  return locked.length > 0 && sight?.publication_status === 'published'
}

/** Whether everybody sees a Business `b`. */
const isPublic = `(b.publication_status = 'published' or (b.publication_status = 'merged' and b.published_at is not null))`

const sight = read<Sight>(
  'business_sight',
  `select b.publication_status, w.access_level, w.sees_unpublished, ${isPublic} as is_public
   from businesses b
   left join workspace_businesses w on w.workspace_id = $1 and w.business_id = b.id and w.removed_at is null
   where b.id = $2`,
)

/** Whether a Business is one of the Workspace's. */
export const isLinked = async (reader: Reader, workspace_id: string, business_id: string): Promise<boolean> =>
  (await reader.one(linked, [workspace_id, business_id])) !== undefined

const linked = read<object>(
  'workspace_business_linked',
  'select from workspace_businesses where workspace_id = $1 and business_id = $2 and removed_at is null',
)

/** Whether a Business is, or was, one of the Workspace's. */
export const wasEverLinked = async (
  reader: Reader,
  workspace_id: string,
  business_id: string,
): Promise<boolean> => (await reader.one(everLinked, [workspace_id, business_id])) !== undefined

const everLinked = read<object>(
  'workspace_business_ever_linked',
  'select from workspace_businesses where workspace_id = $1 and business_id = $2',
)

// The row is locked as well, for versions that lock nothing else.
const businessLock = write<object>(
  'business_lock',
  `with seen as materialized (
     select b.id from businesses b
     join workspace_businesses w on w.workspace_id = $1 and w.business_id = b.id and w.removed_at is null
     where b.id = $2 and ${mayLockForSql('$3::text')} and w.access_level = any ($4) and (w.sees_unpublished or ${isPublic})
   ), locked as materialized (
     select pg_advisory_xact_lock(lock_number('business', null, id)) from seen
   )
   select from businesses where id = (select id from seen) and (select count(*) from locked) = 1 for update`,
)

const publishedLock = write<object>(
  'business_published_lock',
  `select pg_advisory_xact_lock_shared(lock_number('business', null, b.id)) from businesses b
   where b.id = $2 and b.publication_status = 'published' and ${mayLockForSql('$3::text')}
     and not exists (
       select from workspace_businesses w where w.workspace_id = $1 and w.business_id = b.id and w.sees_unpublished)`,
)

/** The text of a statement that reads the facts of Businesses `b`, and perhaps more. */
export const factsWhere = (condition: string, { columns = '', join = '' } = {}) =>
  `select b.id, b.revision, b.publication_status, b.published_at, b.founded_year, b.field_revisions,
     b.name, b.legal_name, b.status, b.closed_on, b.description, b.founded_on, b.public_email, b.public_phone,
     b.website_url, coalesce(l.country_code, b.country_code) as country_code,
     l.id as location_id, l.published as location_published, l.state, l.city, l.postal_code, l.line1,
     c.id as classification_id, c.published as classification_published, c.code as naics_code, c.vintage as naics_vintage
     ${columns}
   from businesses b
   left join business_locations l on l.business_id = b.id and l.is_primary
   left join business_classifications c on c.business_id = b.id and c.is_primary
   ${join}
   where ${condition}`

const businessInFull = read<SeenBusiness>(
  'business_in_full',
  factsWhere(`b.id = $2 and (w.sees_unpublished or ${isPublic})`, {
    columns: `, b.country_code as own_country_code, b.merged_into_id, b.created_at, b.updated_at, w.access_level,
     ${partsColumns('b.id')}`,
    join: 'left join workspace_businesses w on w.workspace_id = $1 and w.business_id = b.id and w.removed_at is null',
  }),
)

const linkLocks = {
  keep: write(
    'business_link_keep',
    `select pg_advisory_xact_lock_shared(lock_number('business_link', $1, $2)) where ${mayLockForSql('$3::text')}`,
  ),
  change: write(
    'business_link_change',
    `select pg_advisory_xact_lock(lock_number('business_link', $1, $2)) where ${mayLockForSql('$3::text')}`,
  ),
}

const link = `select access_level, sees_unpublished, removed_at from workspace_businesses
   where workspace_id = $1 and business_id = $2 and ${mayLockForSql('$3::text')}`
const links = {
  keep: read<LinkRow>('workspace_business_kept', link),
  change: write<LinkRow>('workspace_business_change', `${link} for no key update`),
}
