import type { overrideModes } from '@wbs/contract/lists/overrides'
import type { Id } from '@wbs/contract/ids'
import { read, type Reader } from '../../database/statement.ts'
import type { MemberViewer } from '../members/membership.ts'
import { isVisibleSql } from '../members/visible-business-sql.ts'

export type OverrideMode = (typeof overrideModes)[number]

export interface OverrideRow {
  list_id: Id<'list'>
  member_id: Id<'biz'>
  mode: OverrideMode
  reason: string | null
  expires_at: string | null
  set_by: string
  set_at: string
}

const overrideColumnsSql = 'o.list_id, o.member_id, o.mode, o.reason, o.expires_at, o.set_by, o.set_at'

/** The override of a Business in a List, even if it has expired. */
export const overrideOf = (
  reader: Reader,
  workspace_id: string,
  list_id: string,
  member_id: string,
): Promise<OverrideRow | undefined> => reader.one(overrideById, [workspace_id, list_id, member_id])

const overrideById = read<OverrideRow>(
  'list_override_by_id',
  `select ${overrideColumnsSql} from list_overrides o
   where o.workspace_id = $1 and o.list_id = $2 and o.member_id = $3`,
)

export const mostOverrides = 10_000

/** Whether a List has as many overrides as it can have. */
export const hasMostOverrides = async (
  reader: Reader,
  workspace_id: string,
  list_id: string,
): Promise<boolean> => (await reader.one(lastOverride, [workspace_id, list_id])) !== undefined

const lastOverride = read<object>(
  'list_override_last_possible',
  `select from list_overrides where workspace_id = $1 and list_id = $2 offset ${mostOverrides - 1} limit 1`,
)

/** Overrides of a List by the id of the Business, without those of Businesses that the viewer cannot see. */
export const overridesPage = (
  reader: Reader,
  { workspace_id, reads_businesses }: MemberViewer,
  list_id: string,
  { mode, after, limit }: { mode: OverrideMode | null; after: string; limit: number },
): Promise<OverrideRow[]> => reader.many(page, [workspace_id, list_id, reads_businesses, after, mode, limit])

const page = read<OverrideRow>(
  'list_overrides_page',
  `select ${overrideColumnsSql} from list_overrides o
   where o.workspace_id = $1 and o.list_id = $2 and o.member_id > $4 and ($5::text is null or o.mode = $5)
     and ${isVisibleSql('o.member_id', { workspace_id: '$1', reads_businesses: '$3::boolean' })}
   order by o.member_id limit $6`,
  'long',
)
