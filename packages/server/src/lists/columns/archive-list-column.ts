import { archiveListColumn } from '@wbs/contract/lists/columns'
import { implement } from '../../call/implement.ts'
import { beforeListChange, requireVersion } from '../list-access.ts'
import { isPlaced, withArchived } from './column.ts'
import { openColumn } from './column-access.ts'
import { saveColumns } from './column-change-store.ts'
import { columnEvent, columnResource } from './column-view.ts'

export const handleArchiveListColumn = implement(
  archiveListColumn,
  async function archiveListColumn({ expected_version, ...named }, context) {
    const { list_id, column_id } = named
    const { tx, now, refuse } = context
    const { list: opened, column } = await openColumn(context, named)
    requireVersion(opened, expected_version, ['archived'], refuse)
    // Archiving an archived column succeeds and changes nothing.
    const isNew = isPlaced(column)
    const list = isNew ? saveColumns(tx, opened, withArchived(opened.columns, column, now), now) : opened
    return {
      result: { data: { list_id, version: list.version, column_id, archived: true } },
      revision: list.version,
      resource: columnResource(column_id),
      changed: isNew ? ['archived'] : [],
      events: isNew ? [columnEvent('list.column_archived', list, column_id)] : [],
    }
  },
  beforeListChange,
)
