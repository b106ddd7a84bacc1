import type { PlacedTable } from '../../rooms/visibility/place-visibility-store.ts'

/** The approvals, with the people whom each concerns. The sharer, who is asked, is always a member. */
export const placedApprovals: PlacedTable = { table: 'approvals', people: ['requested_by'] }
