import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { businessColumnsSql, type BusinessRow } from '../business-view.ts'

export interface WorkspaceBusinessRow extends BusinessRow {
  logo_url: string | null
  access_level: AccessLevel
}

/** How many links one page reads at most while it searches for a name, which limits the work of a page with few matches. */
const scanLimit = 5000

/**
 * A page of a Workspace's Businesses by id. It ends after a number of links that were read, whether they match or not. It can
 * therefore be short or empty although there are more pages: if a name is searched, or if Businesses were withdrawn that the
 * link shows only while they are published.
 */
export async function workspaceBusinesses(
  reader: Reader,
  workspace_id: string,
  namePattern: string | null,
  after: string,
  limit: number,
): Promise<{ rows: WorkspaceBusinessRow[]; cursor: string | null; has_more: boolean }> {
  const scan = namePattern === null ? limit + 1 : scanLimit
  const found = await reader.many(pageOfLinks, {
    workspace_id,
    after,
    name_pattern: namePattern,
    limit: limit + 1,
    most_scanned: scan,
  })
  const rows = found.filter(row => row.id !== null).slice(0, limit) as WorkspaceBusinessRow[]
  const matchedMore = found.filter(row => row.id !== null).length > limit
  const scanned = found.find(row => row.id === null)
  if (matchedMore) return { rows, cursor: rows.at(-1)?.id ?? null, has_more: true }
  return {
    rows,
    cursor: scanned?.last_scanned ?? null,
    has_more: scanned?.scanned === scan,
  }
}

interface LinkRow extends Omit<WorkspaceBusinessRow, 'id'> {
  /** Null in the one row that tells how far the scan came. */
  id: Id<'biz'> | null
  scanned: number | null
  last_scanned: string | null
}

// The subselects hide the limits from the planner, which would otherwise plan anew for each value. The remaining fields are read
// only for the rows of the page.
const pageOfLinks = read<LinkRow>(
  'workspace_businesses_page',
  `with scanned as materialized (
     select w.business_id, w.access_level, w.sees_unpublished from workspace_businesses w
     where w.workspace_id = :workspace_id and w.business_id > :after and w.removed_at is null
     order by w.business_id
     limit (select :most_scanned::bigint)
   ), matching as materialized (
     select s.business_id, s.access_level
     from scanned s
     join businesses b on b.id = s.business_id
     where (:name_pattern::text is null or b.name_folded like :name_pattern)
       and (s.sees_unpublished or b.publication_status = 'published')
     order by s.business_id
     limit (select :limit::bigint)
   )
   (select ${businessColumnsSql('v')}, p.logo_url, m.access_level, null::integer as scanned, null::text as last_scanned
    from matching m
    join business_projections v on v.id = m.business_id
    left join workspace_business_profiles p on p.workspace_id = :workspace_id and p.business_id = m.business_id
    order by m.business_id)
   union all
   select ${businessColumnsSql('none')}, null, null, extent.scanned, extent.last_scanned
   from (select count(*)::integer as scanned, max(business_id) as last_scanned from scanned) as extent
   left join business_projections none on false`,
  'long',
)

/** A Business as the list will show it after it is linked or restored, if the Workspace may link it. */
export const businessToLink = (
  reader: Reader,
  workspace_id: string,
  business_id: string,
): Promise<WorkspaceBusinessRow | undefined> => reader.one(businessToLinkById, { workspace_id, business_id })

const businessToLinkById = read<WorkspaceBusinessRow>(
  'workspace_business_to_link',
  `select ${businessColumnsSql('v')}, p.logo_url, coalesce(w.access_level, 'view') as access_level
   from business_projections v
   left join workspace_businesses w on w.workspace_id = :workspace_id and w.business_id = v.id
   left join workspace_business_profiles p on p.workspace_id = :workspace_id and p.business_id = v.id
   where v.id = :business_id and (v.publication_status = 'published' or w.sees_unpublished)`,
)

/** Who links which Business to which Workspace. */
export interface NewLink {
  workspace_id: string
  business_id: string
  user_id: string
  now: Date
}

/** Links a Business that the Workspace creates, with full access. */
export const linkCreated = (tx: Transaction, link: NewLink) =>
  tx.save(linkInsert, { ...link, access_level: 'full_access', sees_unpublished: true })

/** Links a published Business, with the level view, to be seen while it is published. */
export const linkPublished = (tx: Transaction, link: NewLink) =>
  tx.save(linkInsert, { ...link, access_level: 'view', sees_unpublished: false })

/** Restores a removed link with its earlier level. */
export const restoreLink = (tx: Transaction, link: NewLink) => tx.save(linkRestore, link)

/** Marks a link as removed. */
export const unlink = (tx: Transaction, workspace_id: string, business_id: string, now: Date) =>
  tx.save(linkRemove, { workspace_id, business_id, now })

const linkInsert = write(
  'workspace_business_link',
  `insert into workspace_businesses (workspace_id, business_id, access_level, linked_by, linked_at, sees_unpublished)
   values (:workspace_id, :business_id, :access_level, :user_id, :now, :sees_unpublished)
   on conflict (workspace_id, business_id) do nothing`,
)
const linkRestore = write(
  'workspace_business_restore',
  `update workspace_businesses set removed_at = null, linked_by = :user_id, linked_at = :now
   where workspace_id = :workspace_id and business_id = :business_id`,
)
const linkRemove = write(
  'workspace_business_unlink',
  'update workspace_businesses set removed_at = :now where workspace_id = :workspace_id and business_id = :business_id',
)

export interface LatestObservation {
  business_id: Id<'biz'>
  observation_id: Id<'obs'>
  key: string
  value: { value_type: 'text' | 'number' | 'boolean' | 'date'; value: unknown }
  observed_on: string
}

/** The latest observation of each key that the Workspace recorded of these Businesses. */
export const latestObservations = (
  reader: Reader,
  workspace_id: string,
  business_ids: readonly string[],
): Promise<LatestObservation[]> => reader.many(latestByKey, { workspace_id, business_ids })

const latestByKey = read<LatestObservation>(
  'observations_latest',
  `select distinct on (business_id, key) business_id, id as observation_id, key,
     jsonb_build_object('value_type', value_type, 'value', value) as value, observed_on
   from business_observations
   where workspace_id = :workspace_id and business_id = any (:business_ids) and retracted_at is null
   order by business_id, key, observed_on desc, id desc`,
)

/** Links a few published Businesses to a Workspace that has none. */
export const linkSomePublishedBusinesses = (
  tx: Transaction,
  workspace_id: string,
  linked_by: string,
  count: number,
) => tx.run(linkSome, { workspace_id, linked_by, count })

// A Workspace that has removed all its links wants to have none, so removed links count.
const linkSome = write(
  'workspace_businesses_link_some',
  `insert into workspace_businesses (workspace_id, business_id, access_level, linked_by)
   select :workspace_id, p.id, 'full_access', :linked_by from (select id from published_businesses order by id limit :count) p
   where not exists (select from workspace_businesses w where w.workspace_id = :workspace_id)`,
)
