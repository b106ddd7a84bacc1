import { updateList } from '@wbs/contract/lists/lists'
import { implement } from '../call/implement.ts'
import { requireRule } from './given-definition.ts'
import { changedFields } from './list.ts'
import { beforeListChange, openList, requireVersion } from './list-access.ts'
import { saveList } from './list-change-store.ts'
import { listSubject, presentList, replayedList } from './list-view.ts'

export const handleUpdateList = implement(
  updateList,
  async function updateList({ list_id, expected_version, definition, ...described }, context) {
    const { tx, standing, now, refuse } = context
    const changes = { ...described, ...(definition && { rule: requireRule(definition, refuse) }) }
    const list = await openList(context, list_id)
    const changed = changedFields(list, { ...list, ...changes })
    requireVersion(list, expected_version, changed, refuse)
    const saved = changed.length > 0 ? saveList(tx, list, changes, now) : list
    return {
      result: { data: presentList(saved, { standing }) },
      revision: saved.version,
      resource: { type: 'list', id: list_id },
      changed,
      events:
        changed.length > 0 ? [{ type: 'list.updated', subject: listSubject(saved), data: { changed } }] : [],
    }
  },
  { ...beforeListChange, replayed: replayedList },
)
