import { listListOverrides } from '@wbs/contract/lists/overrides'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { requireList } from '../list-access.ts'
import { memberViewerOf } from '../members/member-access.ts'
import { overridesPage } from './override-store.ts'

export const handleListListOverrides = implement(
  listListOverrides,
  async function listListOverrides(input, context) {
    const { list_id, mode = null, cursor: after = '', limit = 20 } = input
    const { read, standing } = context
    await requireList(context, read, list_id)
    const viewer = memberViewerOf(standing)
    const found = await overridesPage(read, viewer, list_id, { mode, after, limit: limit + 1 })
    return { result: pageOf(found, limit, ({ member_id }) => member_id) }
  },
)
