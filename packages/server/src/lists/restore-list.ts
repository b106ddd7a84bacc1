import { listMachine, restoreList } from '@wbs/contract/lists/lists'
import { requireMove } from '../call/state.ts'
import { implement } from '../call/implement.ts'
import { beforeListChange, openList, requireVersion } from './list-access.ts'
import { saveList } from './list-change-store.ts'
import { listSubject, presentList, replayedList } from './list-view.ts'

export const handleRestoreList = implement(
  restoreList,
  async function restoreList({ list_id, expected_version }, context) {
    const { tx, standing, now, refuse } = context
    const list = await openList(context, list_id)
    const detail = 'Only an archived List can be restored.'
    const lifecycle_status = requireMove(listMachine, 'restore', list.lifecycle_status, detail, refuse)
    requireVersion(list, expected_version, ['lifecycle_status'], refuse)
    const restored = saveList(tx, list, { lifecycle_status }, now)
    return {
      result: { data: presentList(restored, { standing }) },
      revision: restored.version,
      resource: { type: 'list', id: list_id },
      changed: ['lifecycle_status'],
      events: [{ type: 'list.restored', subject: listSubject(restored) }],
    }
  },
  { ...beforeListChange, replayed: replayedList },
)
