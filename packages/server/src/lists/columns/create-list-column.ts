import { createListColumn } from '@wbs/contract/lists/columns'
import { implement } from '../../call/implement.ts'
import { beforeListChange, openList, requireVersion } from '../list-access.ts'
import { requireFewColumns, requireFewColumnsEver } from './column-access.ts'
import { insertColumn } from './column-change-store.ts'
import { columnEvent, columnResource, presentColumn } from './column-view.ts'

export const handleCreateListColumn = implement(
  createListColumn,
  async function createListColumn({ list_id, name, value_type, expected_version }, context) {
    const { tx, now, refuse } = context
    const opened = await openList(context, list_id)
    requireVersion(opened, expected_version, ['columns'], refuse)
    requireFewColumns(opened, refuse)
    requireFewColumnsEver(opened, refuse)
    const { list, column_id } = insertColumn(tx, opened, { name, value_type }, now)
    return {
      result: { data: presentColumn(list, column_id) },
      revision: list.version,
      resource: columnResource(column_id),
      events: [columnEvent('list.column_created', list, column_id)],
    }
  },
  beforeListChange,
)
