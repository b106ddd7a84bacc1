import { includes, type AccessLevel } from '@wbs/contract/scopes'
import { lockLinkOfCaller } from '../businesses/business-access.ts'
import { Problem, refuseWith, type Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import {
  lockRoomAndRead,
  requireActive,
  requireOpened,
  viewerOf,
  type CallerInWorkspace,
  type CallerOfChange,
} from '../rooms/room-access.ts'
import { roomById, type OpenedRoom, type RoomRow } from '../rooms/room-store.ts'
import { businessForFiles, countFilesInRoom, mostFilesInRoom } from './file-place-store.ts'

/** Where a new File belongs, as its creator names it. */
interface NamedPlace {
  room_id?: string
  business_id?: string
}

/** What was found of it. Undefined if it was not named, or cannot be seen. */
interface FoundPlace {
  room: RoomRow | undefined
  business: { access_level: AccessLevel | null } | undefined
  /** How many Files the Room has; undefined if they were not counted. */
  files?: number
}

/**
 * Whether the caller could create a File in this place now, before something slow such as storing content. Nothing is locked, so
 * it is judged again in the transaction.
 */
export async function mayCreateIn(
  context: CallerInWorkspace & { read: Reader },
  named: NamedPlace,
): Promise<boolean> {
  const { read } = context
  const viewer = viewerOf(context)
  const [room, business] = await Promise.all([
    named.room_id === undefined ? undefined : roomById(read, viewer, named.room_id),
    named.business_id === undefined ? undefined : businessForFiles(read, viewer, named.business_id),
  ])
  try {
    requirePlace(context, named, { room, business }, refusals)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const refusals = refuseWith(['not_found', 'forbidden', 'state_conflict', 'limit_reached'])

/** Locks the place of a new File: the Room, and the link to the Business. */
export async function lockPlace(context: CallerOfChange, named: NamedPlace): Promise<FoundPlace> {
  const { room_id, business_id } = named
  const readBusiness = async () => {
    const { tx, standing } = context
    if (business_id === undefined || standing.role === null) return undefined
    const [, business] = await Promise.all([
      lockLinkOfCaller({ tx, standing }, business_id, 'keep'),
      businessForFiles(tx, viewerOf(context), business_id),
    ])
    return business
  }
  if (room_id === undefined) return { room: undefined, business: await readBusiness() }
  // The Files are counted after the Room is locked, so that two changes cannot both take the last place.
  const [room, [business, files]] = await lockRoomAndRead(context, room_id, viewer =>
    Promise.all([readBusiness(), countFilesInRoom(context.tx, viewer, room_id)]),
  )
  return { room, business, files }
}

/**
 * Throws unless the caller may create a File in this place: not_found if they cannot see the Room or the Business, forbidden
 * below edit access, state_conflict if the Room is archived, limit_reached if it is full. A guest may create Files in Rooms
 * only. Returns the Room.
 */
export function requirePlace(
  { standing }: Pick<CallerOfChange, 'standing'>,
  named: NamedPlace,
  found: FoundPlace,
  refuse: Refuse<'not_found' | 'forbidden' | 'state_conflict' | 'limit_reached'>,
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
  requireNotFull(found, refuse)
  return room
}

/** Throws limit_reached if a Room has as many Files as it can have. */
export function requireNotFull({ files = 0 }: { files?: number }, refuse: Refuse<'limit_reached'>): void {
  if (files >= mostFilesInRoom)
    throw refuse.limit_reached(`A Room can have at most ${mostFilesInRoom} Files.`)
}
