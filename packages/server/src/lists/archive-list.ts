import { archiveList, listMachine } from '@wbs/contract/lists/lists'
import { requireMove } from '../call/state.ts'
import { implement } from '../call/implement.ts'
import { beforeListChange, openList, requireVersion } from './list-access.ts'
import { saveList } from './list-change-store.ts'
import { listSubject, presentList, replayedList } from './list-view.ts'

export const handleArchiveList = implement(
  archiveList,
  async function archiveList({ list_id, expected_version }, context) {
    const { tx, standing, now, refuse } = context
    const list = await openList(context, list_id)
    const detail = 'The List is restricted, so it cannot be archived.'
    const lifecycle_status = requireMove(listMachine, 'archive', list.lifecycle_status, detail, refuse)
    requireVersion(list, expected_version, ['lifecycle_status'], refuse)
    // Archiving an archived List succeeds and changes nothing.
    const isNew = lifecycle_status !== list.lifecycle_status
    const archived = isNew ? saveList(tx, list, { lifecycle_status }, now) : list
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
