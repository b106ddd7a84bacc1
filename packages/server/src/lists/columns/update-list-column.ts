import { updateListColumn } from '@wbs/contract/lists/columns'
import { implement } from '../../call/implement.ts'
import { beforeListChange, requireVersion } from '../list-access.ts'
import { changedFields, withReplaced } from './column.ts'
import { openColumn, requirePlaced } from './column-access.ts'
import { saveColumns } from './column-change-store.ts'
import { columnEvent, columnResource, presentColumn } from './column-view.ts'

export const handleUpdateListColumn = implement(
  updateListColumn,
  async function updateListColumn({ list_id, column_id, expected_version, ...changes }, context) {
    const { tx, now, refuse } = context
    const { list: opened, column: found } = await openColumn(context, { list_id, column_id })
    const column = requirePlaced(found, refuse)
    const columns = withReplaced(opened.columns, column, changes)
    const changed = changedFields(opened.columns, columns, column_id)
    requireVersion(opened, expected_version, changed, refuse)
    const list = changed.length > 0 ? saveColumns(tx, opened, columns, now) : opened
    const event = columnEvent('list.column_updated', list, column_id)
    return {
      result: { data: presentColumn(list, column_id) },
      revision: list.version,
      resource: columnResource(column_id),
      changed,
      events: changed.length > 0 ? [{ ...event, data: { ...event.data, changed } }] : [],
    }
  },
  beforeListChange,
)
