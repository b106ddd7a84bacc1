import { listListEntryValueHistory } from '@wbs/contract/lists/values'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { requireColumn } from '../columns/column-access.ts'
import { requireList } from '../list-access.ts'
import { membershipOf, noSuchMember } from '../members/member-access.ts'
import { memberWithId } from '../members/one-member-store.ts'
import { changesOfCell } from './value-history-store.ts'

/** Comes after every version, which is a 32-bit integer. */
const afterAll = 2 ** 31

export const handleListListEntryValueHistory = implement(
  listListEntryValueHistory,
  async function listListEntryValueHistory(input, context) {
    const { list_id, member_id, column_id, cursor = afterAll, limit = 20 } = input
    const { read, standing, now, refuse } = context
    const list = await requireList(context, read, list_id, { include_archived: true })
    requireColumn(list, column_id, refuse)
    const { workspace_id } = list
    const [member, found] = await Promise.all([
      memberWithId(read, membershipOf(list, standing, now), member_id),
      changesOfCell(read, { workspace_id, list_id, member_id, column_id }, Number(cursor), limit + 1),
    ])
    if (!member) throw noSuchMember(refuse)
    const { data, page } = pageOf(found, limit, change => String(change.version))
    return {
      result: {
        data: data.map(({ actor, ...change }) => ({ ...change, author: actor, via: actor.via })),
        page,
      },
    }
  },
)
