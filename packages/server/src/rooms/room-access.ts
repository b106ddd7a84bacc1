import { includes, type AccessLevel } from '@wbs/contract/scopes'
import type { Caller } from '../call/authority/caller.ts'
import type { Refuse } from '../call/problem.ts'
import type { GuestStanding, Standing } from '../call/authority/standing.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { Viewer } from './room-visibility-store.ts'
import { lockRoom } from './room-lock-store.ts'
import { roomById, type OpenedRoom, type RoomRow } from './room-store.ts'

export const viewerOf = (caller: Caller, standing: Standing | GuestStanding): Viewer => ({
  workspace_id: standing.workspace_id,
  user_id: caller.user_id,
  is_member: standing.role !== null,
  reads_businesses: standing.role !== null && standing.permissions.has('businesses:read'),
})

export interface Looking {
  caller: Caller
  standing: Standing | GuestStanding
  tx: Transaction
}

/** Opens a Room for a change. Throws not_found where the caller cannot see it, forbidden where they may not go so far. */
export async function openRoom<Level extends AccessLevel>(
  context: Looking & { refuse: Refuse<'not_found' | 'forbidden'> },
  room_id: string,
  needed: Level,
): Promise<OpenedRoom<Level>> {
  return requireOpened(await lockSeen(context, room_id), needed, context.refuse)
}

/**
 * Locks a Room for a change that sends other looks with it: none of them needs its answer, and all are carried out behind
 * the lock. What it gives is for `requireOpened` to judge.
 */
export const lockSeen = ({ caller, standing, tx }: Looking, room_id: string): Promise<RoomRow | undefined> =>
  lockRoom(tx, viewerOf(caller, standing), room_id, standing.seal)

/** The Room that `lockSeen` gave, opened for a change. Throws as openRoom does. */
export function requireOpened<Level extends AccessLevel>(
  room: RoomRow | undefined,
  needed: Level,
  refuse: Refuse<'not_found' | 'forbidden'>,
): OpenedRoom<Level> {
  if (!room) throw noSuchRoom(refuse)
  return requireLevel(room as OpenedRoom<AccessLevel>, needed, refuse)
}

/** A Room that was opened for less, for more. Throws forbidden where the caller may not go so far. */
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
export async function seenRoom(
  {
    caller,
    standing,
    refuse,
  }: { caller: Caller; standing: Standing | GuestStanding; refuse: Refuse<'not_found'> },
  reader: Reader,
  room_id: string,
): Promise<RoomRow> {
  const room = await roomById(reader, viewerOf(caller, standing), room_id)
  if (!room) throw noSuchRoom(refuse)
  return room
}

const noSuchRoom = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such Room, or you cannot see it.')

/** That the Room a mutation names can be seen, before a replay is given out. */
export async function roomVisible(
  { room_id }: { room_id: string },
  context: Looking & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await seenRoom(context, context.tx, room_id)
}

/** What comes before a change that begins by opening the Room of its path. */
export const ofNamedRoom = {
  visible: roomVisible,
  prefetch: ({ room_id }: { room_id: string }, context: Looking) => lockSeen(context, room_id),
}

/** Throws state_conflict unless the Room takes changes: it is archived, or its parent is. */
export function requireActive(
  room: Pick<RoomRow, 'status' | 'parent_status'>,
  refuse: Refuse<'state_conflict'>,
): void {
  if (room.status === 'archived')
    throw refuse.state_conflict('The Room is archived and read-only.', { current_status: 'archived' })
  requireParentActive(room, refuse)
}

/** Throws state_conflict where the Room belongs to one that is archived. */
export function requireParentActive(
  room: Pick<RoomRow, 'parent_status'>,
  refuse: Refuse<'state_conflict'>,
): void {
  if (room.parent_status === 'archived')
    throw refuse.state_conflict('The parent of this Room is archived. Restore the parent first.', {
      current_status: 'archived',
    })
}
