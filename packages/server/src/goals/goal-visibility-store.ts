import type { PlacedTable } from '../rooms/visibility/place-visibility-store.ts'

/** The Goals, with the people whom each concerns. */
export const placedGoals: PlacedTable = { table: 'goals', people: ['created_by', 'accountable_user_id'] }
