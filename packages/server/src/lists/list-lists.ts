import { listLists } from '@wbs/contract/lists/lists'
import { foldName, likePattern } from '../businesses/fold.ts'
import { implement } from '../call/implement.ts'
import { shownOf } from '../call/page.ts'
import { listsPage } from './list-page-store.ts'
import { presentList } from './list-view.ts'

export const handleListLists = implement(listLists, async function listLists(input, { read, standing }) {
  const { lifecycle_status = null, include_archived = false, cursor: after = '', limit = 20 } = input
  const name = input.name === undefined ? null : foldName(input.name)
  // A text that folds to nothing is in no name, rather than in every name.
  if (name === '') return { result: { data: [], page: { cursor: null, has_more: false } } }
  const filter = { lifecycle_status, namePattern: name === null ? null : likePattern(name) }
  const found = await listsPage(read, standing.workspace_id, filter, {
    after,
    limit: limit + 1,
    include_archived,
  })
  const { count, has_more } = shownOf(found, limit)
  const lists = found.slice(0, count)
  const cursor = has_more ? (lists.at(-1)?.list_id ?? null) : null
  const data = lists.map(list => presentList(list, { standing, include_archived }))
  return { result: { data, page: { cursor, has_more } } }
})
