import { createList } from '@wbs/contract/lists/lists'
import { implement } from '../call/implement.ts'
import { requireRule } from './given-definition.ts'
import { hasMostLists, insertList, mostLists } from './list-change-store.ts'
import { listSubject, presentList } from './list-view.ts'

export const handleCreateList = implement(createList, async function createList(input, context) {
  const { name, description = null, definition, columns = [] } = input
  const { tx, caller, standing, now, refuse } = context
  const { workspace_id } = standing
  const rule = requireRule(definition, refuse)
  if (await hasMostLists(tx, workspace_id))
    throw refuse.limit_reached(`A Workspace can have at most ${mostLists} Lists.`)
  const list = insertList(
    tx,
    { workspace_id, user_id: caller.user_id, name, description, rule, columns },
    now,
  )
  return {
    result: { data: presentList(list, { standing }) },
    revision: list.version,
    resource: { type: 'list', id: list.list_id },
    events: [{ type: 'list.created', subject: listSubject(list) }],
  }
})
