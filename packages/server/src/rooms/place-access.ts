import type { AccessLevel, Scope } from '@wbs/contract/scopes'
import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { userInWorkspace } from './access/access-explanation-store.ts'
import { readableBusiness } from './businesses/room-business-store.ts'
import { seesAllParticipants } from './participants/participant.ts'
import {
  openRoom,
  requireActive,
  requireRoom,
  viewerOf,
  type CallerInWorkspace,
  type CallerOfChange,
} from './room-access.ts'
import type { RoomRow } from './room-store.ts'
import { basisInRoom } from './visibility/basis-store.ts'
import type { PlaceState } from './visibility/place-visibility-store.ts'

/** A Room as the place of something, with what decides whom the caller can see in it; null for the Workspace. */
export type Place = Pick<RoomRow, 'room_id' | 'participant_visibility' | 'access_level'> | null

/**
 * Locks the place in which something is created: a Room that the caller can see, or the Workspace. Throws not_found, forbidden
 * below the level, state_conflict if the Room is archived. Without a Room, a guest is refused.
 */
export async function openPlace(
  context: CallerOfChange & { refuse: Refuse<'not_found' | 'forbidden' | 'state_conflict'> },
  room_id: string | null,
  needed: AccessLevel,
): Promise<RoomRow | null> {
  const { standing, refuse } = context
  if (room_id === null) {
    if (standing.role === null)
      throw refuse.forbidden('You can create this only in a Room to which you were invited. Send room_id.')
    return null
  }
  const room = await openRoom(context, room_id, needed)
  requireActive(room, refuse)
  return room
}

/** The place of a row that was read with its PlaceState, for the caller who has a level on it. */
export const placeOfRow = (row: PlaceState & { access_level: AccessLevel }): Place =>
  row.room_id === null
    ? null
    : {
        room_id: row.room_id as RoomRow['room_id'],
        participant_visibility: row.masks_guests ? 'managers' : 'everyone',
        access_level: row.access_level,
      }

/** Throws state_conflict if the Room of the row, if it has one, is archived, or its parent is. */
export function requireActivePlace(
  { room_status, parent_status }: PlaceState,
  refuse: Refuse<'state_conflict'>,
): void {
  if (room_status !== null) requireActive({ status: room_status, parent_status }, refuse)
}

/** Whether the caller can see everybody in a Room: in one that masks guests, they do not see each other. */
export const seesEverybody = (context: CallerInWorkspace, room: NonNullable<Place>): boolean =>
  seesAllParticipants(viewerOf(context), room)

/** Checks the Room that a list is filtered by. Throws not_found if the caller cannot see it. */
export async function requireRoomOfFilter(
  context: CallerInWorkspace & { read: Reader; refuse: Refuse<'not_found'> },
  room_id: string | undefined,
): Promise<void> {
  if (room_id !== undefined) await requireRoom(context, context.read, room_id)
}

/**
 * Throws validation_error unless the user can be made responsible in the place: they can open the Room and the caller can see
 * them there or, without a Room, they are a member of the Workspace; and a member has the permission. `field` is the field of the
 * body that names the user.
 */
export async function requireUserOfPlace(
  context: CallerInWorkspace & { tx: Transaction; refuse: Refuse<'validation_error'> },
  place: Place,
  { user_id, field, scope }: { user_id: string; field: string; scope: Scope },
): Promise<void> {
  const { tx, standing, refuse } = context
  const { viewer, permissions } = await userInWorkspace(tx, standing.workspace_id, user_id)
  const caller = viewerOf(context)
  const isThere =
    place === null
      ? permissions !== null
      : await basisInRoom(tx, viewer, place.room_id, {
          user_id: caller.user_id,
          sees_all: seesAllParticipants(caller, place),
        })
  if (isThere && permissions?.has(scope) !== false) return
  const detail =
    place === null
      ? `${field} must be the ID of a member of the Workspace with the permission ${scope}.`
      : `${field} must be the ID of a user who can open the Room and has the permission ${scope}.`
  throw refuse.validation_error(detail, {
    errors: [{ in: 'body', pointer: `/${field}`, code: 'conflict', detail }],
  })
}

/** Throws not_found unless the caller can read the Business that something is to be about. */
export async function requireBusinessOfPlace(
  context: CallerInWorkspace & { tx: Transaction; refuse: Refuse<'not_found'> },
  business_id: string,
): Promise<void> {
  if (!(await readableBusiness(context.tx, viewerOf(context), business_id)))
    throw context.refuse.not_found('There is no such Business, or you cannot see it.')
}
