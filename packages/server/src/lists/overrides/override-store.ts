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
): Promise<OverrideRow | undefined> => reader.one(overrideById, { workspace_id, list_id, member_id })

const overrideById = read<OverrideRow>(
  'list_override_by_id',
  `select ${overrideColumnsSql} from list_overrides o
   where o.workspace_id = :workspace_id and o.list_id = :list_id and o.member_id = :member_id`,
)

export const mostOverrides = 10_000

/** Whether a List has as many overrides as it can have. */
export const hasMostOverrides = async (
  reader: Reader,
  workspace_id: string,
  list_id: string,
): Promise<boolean> => (await reader.one(lastOverride, { workspace_id, list_id })) !== undefined

const lastOverride = read<object>(
  'list_override_last_possible',
  `select from list_overrides where workspace_id = :workspace_id and list_id = :list_id offset ${mostOverrides - 1} limit 1`,
)

/** Overrides of a List by the id of the Business, without those of Businesses that the viewer cannot see. */
export const overridesPage = (
  reader: Reader,
  viewer: MemberViewer,
  list_id: string,
  asked: { mode: OverrideMode | null; after: string; limit: number },
): Promise<OverrideRow[]> => reader.many(page, { ...viewer, ...asked, list_id })

const page = read<OverrideRow>(
  'list_overrides_page',
  `select ${overrideColumnsSql} from list_overrides o
   where o.workspace_id = :workspace_id and o.list_id = :list_id and o.member_id > :after
     and (:mode::text is null or o.mode = :mode)
     and ${isVisibleSql('o.member_id')}
   order by o.member_id limit :limit`,
  'long',
)
