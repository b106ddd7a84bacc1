import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { seesLists } from './list-access.ts'
import { hasColumn, listById } from './list-store.ts'

/** Whether a caller can see the List or the column that a receipt names. */
export const listVisibility: Pick<VisibilityChecks, 'list' | 'list_column'> = {
  list: async (id, { standing, tx }) =>
    seesLists(standing) && (await listById(tx, standing.workspace_id, id)) !== undefined,
  list_column: async (id, { standing, tx }) =>
    seesLists(standing) && (await hasColumn(tx, standing.workspace_id, id)),
}
