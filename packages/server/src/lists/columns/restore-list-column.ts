import { restoreListColumn } from '@wbs/contract/lists/columns'
import { implement } from '../../call/implement.ts'
import { beforeListChange, requireVersion } from '../list-access.ts'
import { withLast } from './column.ts'
import { openColumn, requireArchived, requireFewColumns } from './column-access.ts'
import { saveColumns } from './column-change-store.ts'
import { columnEvent, columnResource, presentColumn } from './column-view.ts'

export const handleRestoreListColumn = implement(
  restoreListColumn,
  async function restoreListColumn({ expected_version, ...named }, context) {
    const { column_id } = named
    const { tx, now, refuse } = context
    const { list: opened, column } = await openColumn(context, named)
    requireArchived(column, refuse)
    requireVersion(opened, expected_version, ['archived'], refuse)
    requireFewColumns(opened, refuse)
    const list = saveColumns(tx, opened, withLast(opened.columns, column), now)
    return {
      result: { data: presentColumn(list, column_id) },
      revision: list.version,
      resource: columnResource(column_id),
      changed: ['archived'],
      events: [columnEvent('list.column_restored', list, column_id)],
    }
  },
  beforeListChange,
)
