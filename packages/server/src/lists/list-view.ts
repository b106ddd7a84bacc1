import type { Standing } from '../call/authority/standing.ts'
import { countOf, unknownCount } from './list.ts'
import type { ColumnRow, ListRow } from './list-store.ts'

/** How a List is shown. */
interface Showing {
  standing: Standing
  /** Whether archived columns are shown, and when columns were archived. */
  include_archived?: boolean
}

/** A List for an answer. */
export function presentList(row: ListRow, { standing, include_archived = false }: Showing) {
  const { list_id: id, workspace_id, name, description, rule, version, lifecycle_status, columns } = row
  const { created_at, updated_at, archived_at } = row
  return {
    id,
    workspace_id,
    name,
    description,
    definition: { schema_version: 'svc.list.v1' as const, subject_type: 'business' as const, rule },
    version,
    lifecycle_status,
    count: countOf(row, standing.permissions.has('businesses:read')),
    columns: include_archived
      ? columns
      : columns.filter(({ position }) => position !== null).map(presentColumn),
    created_at,
    updated_at,
    archived_at,
  }
}

/** A stored answer with a List for a replay. The caller may have lost the permission that the count takes. */
export const replayedList = <Answer extends { data: object }>(
  answer: Answer,
  { permissions }: Standing,
): Answer =>
  permissions.has('businesses:read') ? answer : { ...answer, data: { ...answer.data, count: unknownCount } }

/** A column for an answer that shows no archived ones. */
const presentColumn = ({ column_id, name, value_type, position }: ColumnRow) => ({
  column_id,
  name,
  value_type,
  position,
})

/** A List as the subject of an event. */
export const listSubject = ({ list_id, name }: Pick<ListRow, 'list_id' | 'name'>) => ({
  type: 'list',
  id: list_id,
  name,
})
