import type { Caller } from '../call/authority/caller.ts'
import type { Refuse } from '../call/problem.ts'
import type { GuestStanding, Standing } from '../call/authority/standing.ts'
import type { Reader } from '../database/statement.ts'
import { requireRoom, viewerOf } from '../rooms/room-access.ts'
import { readableBusiness } from '../rooms/businesses/room-business-store.ts'

interface CallerOfQuery {
  caller: Caller
  standing: Standing | GuestStanding
  read: Reader
  refuse: Refuse<'not_found'>
}

/** Checks that the caller can see the Room or the Business whose events are requested. Throws not_found. */
export async function requireVisibleScope(
  asking: CallerOfQuery,
  { room_id, business_id }: { room_id?: string | undefined; business_id?: string | undefined },
): Promise<void> {
  const { caller, standing, read, refuse } = asking
  if (room_id !== undefined) await requireRoom(asking, read, room_id)
  if (
    business_id !== undefined &&
    !(await readableBusiness(read, viewerOf({ caller, standing }), business_id))
  )
    throw refuse.not_found('There is no such Business, or you cannot see it.')
}
