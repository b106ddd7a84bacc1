import { includes, type AccessLevel } from '@wbs/contract/scopes'
import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { viewerOf, type CallerInWorkspace, type CallerOfChange } from '../../rooms/room-access.ts'
import { requireNotFull } from '../file-place.ts'
import { lockRoomFile } from './room-file-lock-store.ts'
import {
  roomFileById,
  type OpenedRoomFile,
  type Place,
  type RoomFileRow,
  type RoomOfFile,
} from './room-file-store.ts'

const mostRoomsOfFile = 100

export const noSuchRoomFile = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such File in a Room, or you cannot see it.')

/** A File in a Room that the caller can see. Throws not_found. */
export async function requireRoomFile(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  room_file_id: string,
): Promise<RoomFileRow> {
  const room_file = await roomFileById(reader, viewerOf(context), room_file_id)
  if (!room_file) throw noSuchRoomFile(context.refuse)
  return room_file
}

const lockAndReadVisibleRoomFile = (context: CallerOfChange, room_file_id: string) =>
  lockRoomFile(context.tx, viewerOf(context), room_file_id, context.standing.seal)

/**
 * Locks a File in a Room for a change. Throws not_found if the caller cannot see it, forbidden if their level on it is too
 * low.
 */
export async function openRoomFile<Level extends AccessLevel>(
  context: CallerOfChange & { refuse: Refuse<'not_found' | 'forbidden'> },
  room_file_id: string,
  needed: Level,
): Promise<{ room: RoomOfFile; room_file: OpenedRoomFile<Level> }> {
  const locked = await lockAndReadVisibleRoomFile(context, room_file_id)
  if (!locked) throw noSuchRoomFile(context.refuse)
  const { room, ...room_file } = locked
  return { room, room_file: requireRoomFileLevel(room_file, needed, context.refuse) }
}

/** Throws forbidden if the caller's level on the File in the Room is too low. */
export function requireRoomFileLevel<Level extends AccessLevel>(
  room_file: RoomFileRow,
  needed: Level,
  refuse: Refuse<'forbidden'>,
): OpenedRoomFile<Level> {
  if (!includes(room_file.access_level, needed))
    throw refuse.forbidden(
      `This requires the level ${needed} on the File in the Room; you have ${room_file.access_level}.`,
    )
  return room_file as OpenedRoomFile<Level>
}

/** Throws state_conflict if the File has been removed from the Room. */
export function requireInRoom(
  { status }: Pick<RoomFileRow, 'status'>,
  refuse: Refuse<'state_conflict'>,
): void {
  if (status === 'archived')
    throw refuse.state_conflict('The File has been removed from the Room. Restore it first.', {
      current_status: 'archived',
    })
}

/** Throws limit_reached if the Room has no place for another File, or the File is in too many Rooms. */
export function requirePlace(place: Place | undefined, refuse: Refuse<'limit_reached'>): void {
  if (place) requireNotFull(place, refuse)
  if (place && place.rooms >= mostRoomsOfFile)
    throw refuse.limit_reached(`A File can be in at most ${mostRoomsOfFile} Rooms.`)
}

/** Checks before a replay that the caller can still see the File in the Room. Throws not_found. */
async function checkRoomFileVisible(
  { room_file_id }: { room_file_id: string },
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await requireRoomFile(context, context.tx, room_file_id)
}

/** What runs before a handler that begins by opening the File in a Room of its path. */
export const beforeRoomFileChange = {
  visible: checkRoomFileVisible,
  prefetch: ({ room_file_id }: { room_file_id: string }, context: CallerOfChange) =>
    lockAndReadVisibleRoomFile(context, room_file_id),
}
