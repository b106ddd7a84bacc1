import { includes, type AccessLevel } from '@wbs/contract/scopes'
import type { Refuse } from '../call/problem.ts'
import { lockLinkOfCaller } from '../businesses/business-access.ts'
import {
  lockRoomAndRead,
  requireActive,
  requireOpened,
  viewerOf,
  type CallerOfChange,
} from '../rooms/room-access.ts'
import { roomById, type OpenedRoom, type RoomRow } from '../rooms/room-store.ts'
import { businessForFiles } from './file-place-store.ts'

/** Where a new File belongs, as its creator names it. */
interface NamedPlace {
  room_id?: string
  business_id?: string
}

/** What was found of it. Undefined if it was not named, or cannot be seen. */
interface FoundPlace {
  room: RoomRow | undefined
  business: { access_level: AccessLevel | null } | undefined
}

/** Looks at the place of a new File without locking it, before something slow such as storing content. */
export async function lookAtPlace(context: CallerOfChange, named: NamedPlace): Promise<FoundPlace> {
  const { tx } = context
  const viewer = viewerOf(context)
  const [room, business] = await Promise.all([
    named.room_id === undefined ? undefined : roomById(tx, viewer, named.room_id),
    named.business_id === undefined ? undefined : businessForFiles(tx, viewer, named.business_id),
  ])
  return { room, business }
}

/** Locks the place of a new File: the Room, and the link to the Business. */
export async function lockPlace(context: CallerOfChange, named: NamedPlace): Promise<FoundPlace> {
  const { room_id, business_id } = named
  const readBusiness = async () => {
    if (business_id === undefined || context.standing.role === null) return undefined
    const { tx, caller, standing } = context
    const [, business] = await Promise.all([
      lockLinkOfCaller(
        { tx, caller, standing } as Parameters<typeof lockLinkOfCaller>[0],
        business_id,
        'keep',
      ),
      businessForFiles(tx, viewerOf(context), business_id),
    ])
    return business
  }
  if (room_id === undefined) return { room: undefined, business: await readBusiness() }
  const [room, business] = await lockRoomAndRead(context, room_id, readBusiness)
  return { room, business }
}

/**
 * Throws unless the caller may create a File in this place: not_found if they cannot see the Room or the Business, forbidden
 * below edit access, state_conflict if the Room is archived. A guest may create Files in Rooms only. Returns the Room.
 */
export function requirePlace(
  { standing }: Pick<CallerOfChange, 'standing'>,
  named: NamedPlace,
  found: FoundPlace,
  refuse: Refuse<'not_found' | 'forbidden' | 'state_conflict'>,
): OpenedRoom<'edit'> | null {
  if (named.room_id === undefined && standing.role === null)
    throw refuse.forbidden('You can create Files only in Rooms to which you were invited. Send room_id.')
  const room = named.room_id === undefined ? null : requireOpened(found.room, 'edit', refuse)
  if (named.business_id !== undefined) {
    if (!found.business) throw refuse.not_found('There is no such Business, or you cannot see it.')
    const { access_level } = found.business
    if (access_level === null || !includes(access_level, 'edit'))
      throw refuse.forbidden('The Workspace needs edit access to the Business to add Files to it.')
  }
  if (room) requireActive(room, refuse)
  return room
}
