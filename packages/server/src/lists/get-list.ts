import { getList } from '@wbs/contract/lists/lists'
import { implement } from '../call/implement.ts'
import { requireList } from './list-access.ts'
import { presentList } from './list-view.ts'

export const handleGetList = implement(
  getList,
  async function getList({ list_id, include_archived = false }, context) {
    const { read, standing } = context
    const list = await requireList(context, read, list_id, { include_archived })
    const data = presentList(list, { standing, include_archived })
    return { result: { data }, revision: list.version, hasUnversioned: data.count.status !== 'unknown' }
  },
)
