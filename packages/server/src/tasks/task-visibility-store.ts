import type { PlacedTable } from '../rooms/visibility/place-visibility-store.ts'

/** The Tasks, with the people whom each concerns. */
export const placedTasks: PlacedTable = { table: 'tasks', people: ['created_by', 'assignee_user_id'] }
