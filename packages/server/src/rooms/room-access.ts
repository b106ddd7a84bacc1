import { includes, type AccessLevel } from '@wbs/contract/scopes'
import type { Caller } from '../call/authority/caller.ts'
import type { Refuse } from '../call/problem.ts'
import type { GuestStanding, Standing } from '../call/authority/standing.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { Viewer } from './visibility/room-visibility-store.ts'
import { lockRoom } from './room-lock-store.ts'
import { roomById, type OpenedRoom, type RoomRow } from './room-store.ts'

/** A caller with their standing in the Workspace of the Rooms. */
export interface CallerInWorkspace {
  caller: Caller
  standing: Standing | GuestStanding
}

/** The caller of a change. */
export type CallerOfChange = CallerInWorkspace & { tx: Transaction }

export const viewerOf = ({ caller, standing }: CallerInWorkspace): Viewer => ({
  workspace_id: standing.workspace_id,
  user_id: caller.user_id,
  is_member: standing.role !== null,
  reads_businesses: standing.role !== null && standing.permissions.has('businesses:read'),
  reads_lists: standing.role !== null && standing.permissions.has('lists:read'),
})

/** Locks a Room for a change. Throws not_found if the caller cannot see it, forbidden if their level is too low. */
export async function openRoom<Level extends AccessLevel>(
  context: CallerOfChange & { refuse: Refuse<'not_found' | 'forbidden'> },
  room_id: string,
  needed: Level,
): Promise<OpenedRoom<Level>> {
  return requireOpened(await lockAndReadVisibleRoom(context, room_id), needed, context.refuse)
}

/** Locks a Room that the caller can see, and reads it under the lock; undefined if they cannot see it. */
const lockAndReadVisibleRoom = (context: CallerOfChange, room_id: string): Promise<RoomRow | undefined> =>
  lockRoom(context.tx, viewerOf(context), room_id, context.standing.seal)

/**
 * Locks a Room that the caller can see and reads something else in the same round trip. The read runs under the lock. Pass
 * the Room to `requireOpened`, which checks it.
 */
export const lockRoomAndRead = <Found>(
  context: CallerOfChange,
  room_id: string,
  readOther: (viewer: Viewer) => Promise<Found>,
): Promise<[RoomRow | undefined, Found]> =>
  Promise.all([lockAndReadVisibleRoom(context, room_id), readOther(viewerOf(context))])

/** The Room that `lockRoomAndRead` locked, opened for a change. Throws as openRoom does. */
export function requireOpened<Level extends AccessLevel>(
  room: RoomRow | undefined,
  needed: Level,
  refuse: Refuse<'not_found' | 'forbidden'>,
): OpenedRoom<Level> {
  if (!room) throw noSuchRoom(refuse)
  return requireLevel(room as OpenedRoom<AccessLevel>, needed, refuse)
}

/** An opened Room, at a higher level than it was opened for. Throws forbidden if the caller's level is too low. */
export function requireLevel<Level extends AccessLevel>(
  room: OpenedRoom<AccessLevel>,
  needed: Level,
  refuse: Refuse<'forbidden'>,
): OpenedRoom<Level> {
  if (!includes(room.access_level, needed))
    throw refuse.forbidden(`This requires the level ${needed} in the Room; you have ${room.access_level}.`)
  return room as OpenedRoom<Level>
}

/** A Room that the caller can see. Throws not_found. */
export async function requireRoom(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  room_id: string,
): Promise<RoomRow> {
  const room = await roomById(reader, viewerOf(context), room_id)
  if (!room) throw noSuchRoom(context.refuse)
  return room
}

const noSuchRoom = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such Room, or you cannot see it.')

/** Checks before a replay that the caller can still see the Room of the path. Throws not_found. */
export async function checkRoomVisible(
  { room_id }: { room_id: string },
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await requireRoom(context, context.tx, room_id)
}

/** What runs before a handler that begins by opening the Room of its path. */
export const beforeRoomChange = {
  visible: checkRoomVisible,
  prefetch: ({ room_id }: { room_id: string }, context: CallerOfChange) =>
    lockAndReadVisibleRoom(context, room_id),
}

/** Throws state_conflict if the Room is archived, or its parent is. */
export function requireActive(
  room: Pick<RoomRow, 'status' | 'parent_status'>,
  refuse: Refuse<'state_conflict'>,
): void {
  if (room.status === 'archived')
    throw refuse.state_conflict('The Room is archived and read-only.', { current_status: 'archived' })
  requireParentActive(room, refuse)
}

/** Throws state_conflict if the parent of the Room is archived. */
export function requireParentActive(
  room: Pick<RoomRow, 'parent_status'>,
  refuse: Refuse<'state_conflict'>,
): void {
  if (room.parent_status === 'archived')
    throw refuse.state_conflict('The parent of this Room is archived. Restore the parent first.', {
      current_status: 'archived',
    })
}
