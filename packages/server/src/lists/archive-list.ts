import { archiveList } from '@wbs/contract/lists/lists'
import { implement } from '../call/implement.ts'
import { beforeListChange, openList, requireVersion } from './list-access.ts'
import { saveList } from './list-change-store.ts'
import { listSubject, presentList, replayedList } from './list-view.ts'

export const handleArchiveList = implement(
  archiveList,
  async function archiveList({ list_id, expected_version }, context) {
    const { tx, standing, now, refuse } = context
    const list = await openList(context, list_id)
    if (list.lifecycle_status === 'restricted')
      throw refuse.state_conflict('The List is restricted, so it cannot be archived.', {
        current_status: 'restricted',
      })
    requireVersion(list, expected_version, ['lifecycle_status'], refuse)
    // Archiving an archived List succeeds and changes nothing.
    const isNew = list.lifecycle_status === 'active'
    const archived = isNew ? saveList(tx, list, { lifecycle_status: 'archived' }, now) : list
    return {
      result: { data: presentList(archived, { standing }) },
      revision: archived.version,
      resource: { type: 'list', id: list_id },
      changed: isNew ? ['lifecycle_status'] : [],
      events: isNew ? [{ type: 'list.archived', subject: listSubject(archived) }] : [],
    }
  },
  { ...beforeListChange, replayed: replayedList },
)
