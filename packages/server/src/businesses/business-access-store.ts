import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { lockAlone, lockShared } from '../database/locks.ts'
import { read, readOpen, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { Facts } from './business-facts.ts'

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

/** A Business under lock. */
export interface LockedFacts extends Facts {
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

/** Locks a Business that is there, and reads its facts behind the lock: they are those of its latest revision. */
export async function lockFacts(tx: Transaction, business_id: string): Promise<LockedFacts> {
  const [, , [facts]] = await Promise.all([
    lockAlone(tx, null, [['business', business_id]]),
    tx.run(businessLock, [business_id]),
    tx.run(factsOfBusiness, [business_id]),
  ])
  if (!facts) throw new Error('A Business went away: they are never deleted.')
  return facts
}

export interface LinkRow {
  access_level: AccessLevel
  sees_unpublished: boolean
  removed_at: string | null
}

/** Locks the link to a Business, a removed one too: to keep it as it is, or to change it or what hangs on it. */
export async function lockLink(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  how: 'keep' | 'change',
): Promise<LinkRow | undefined> {
  const [lock, link] = how === 'keep' ? [lockShared, linkKept] : [lockAlone, linkChanged]
  const [, [row]] = await Promise.all([
    lock(tx, workspace_id, [['business_link', business_id]]),
    tx.run(link, [workspace_id, business_id]),
  ])
  return row
}

const sight = read<Sight>(
  'business_sight',
  `select b.publication_status, w.access_level, w.sees_unpublished,
     b.publication_status = 'published' or (b.publication_status = 'merged' and b.published_at is not null) as is_public
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

/** Keeps a Business from being published or withdrawn until the transaction ends. */
export const lockPublication = (tx: Transaction, business_id: string) =>
  lockShared(tx, null, [['business', business_id]])

const businessLock = write('business_lock', 'select from businesses where id = $1 for update')

/** The text of a statement that reads the facts of Businesses `b`. */
export const factsWhere = (condition: string) =>
  `select b.id, b.revision, b.publication_status, b.published_at, b.founded_year, b.field_revisions,
     b.name, b.legal_name, b.status, b.closed_on, b.description, b.founded_on, b.public_email, b.public_phone,
     b.website_url, coalesce(l.country_code, b.country_code) as country_code,
     l.id as location_id, l.published as location_published, l.state, l.city, l.postal_code, l.line1,
     c.id as classification_id, c.published as classification_published, c.code as naics_code, c.vintage as naics_vintage
   from businesses b
   left join business_locations l on l.business_id = b.id and l.is_primary
   left join business_classifications c on c.business_id = b.id and c.is_primary
   where ${condition}`

const factsOfBusiness = readOpen<LockedFacts>('business_facts', factsWhere('b.id = $1'))

const link = `select access_level, sees_unpublished, removed_at from workspace_businesses
   where workspace_id = $1 and business_id = $2`
const linkKept = read<LinkRow>('workspace_business_kept', link)
const linkChanged = write<LinkRow>('workspace_business_change', `${link} for no key update`)
