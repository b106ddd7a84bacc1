import type { AccessLevel } from '@wbs/contract/scopes'

/**
 * A model of a Workspace with Rooms and what stands in them: the tables of the state machines, and a few lines for who sees
 * what. The service is compared with it.
 */

export type Noun =
  | 'room'
  | 'participant'
  | 'goal'
  | 'task'
  | 'connection'
  | 'approval'
  | 'file'
  | 'room_file'
  | 'list'

/** Anything with a state. */
export interface Thing {
  noun: Noun
  id: string
  /** The saved state. `shownState` says which one counts. */
  state: string
  revision: number
  /** The Room in which it stands. */
  room: Room | null
  /** Who created, shared, sent or requested it. */
  by: string
  /** The assignee of a Task, or the person of a participant. */
  person: string | null
  /** The level of a participant. */
  level: AccessLevel
  /** The File of a File in a Room, or the connection of an approval. */
  of: Thing | null
  /** The participation on which somebody shared a connection, requested an action or, as a guest, sent an invitation. */
  basis: Thing | null
  /** With which membership `by` made it. */
  membership: number
  /** Whether an invitation was accepted. */
  joined: boolean
  /** Who approved an approval. */
  decider: string | null
}

export interface Room extends Thing {
  noun: 'room'
  parent: Room | null
  /** What every member may do in it without an invitation. */
  general: 'view' | 'edit' | null
  masked: boolean
}

export interface Model {
  /** Members with their roles. */
  roles: ReadonlyMap<string, 'owner' | 'member' | 'viewer'>
  /** The number of the present membership of each member. */
  memberships: Map<string, number>
  things: Thing[]
}

export const all = <N extends Noun>({ things }: Model, noun: N) =>
  things.filter(one => one.noun === noun) as (N extends 'room' ? Room : Thing)[]

/** The number of somebody's present membership. */
export const membershipOf = ({ memberships }: Model, who: string): number => memberships.get(who) ?? 0

export const isMember = (model: Model, who: string): boolean => model.roles.has(who)

const rank = { view: 1, edit: 2, full_access: 3 } as const

export const atLeast = (level: AccessLevel | null, needed: AccessLevel): boolean =>
  level !== null && rank[level] >= rank[needed]

const higher = (a: AccessLevel | null, b: AccessLevel | null): AccessLevel | null =>
  a === null || (b !== null && rank[b] > rank[a]) ? b : a

/** The active participation of somebody in a Room. */
export const participation = (model: Model, who: string, room: Room): Thing | undefined =>
  all(model, 'participant').find(one => one.room === room && one.person === who && one.state === 'active')

export function levelIn(model: Model, who: string, room: Room): AccessLevel | null {
  return higher(participation(model, who, room)?.level ?? null, isMember(model, who) ? room.general : null)
}

/** Whether a Room is read-only. */
export const isFrozen = (room: Room | null): boolean =>
  room !== null && (room.state === 'archived' || room.parent?.state === 'archived')

/** Somebody has standing in the Workspace as a member, or as a guest of a Room. */
const hasStanding = (model: Model, who: string): boolean =>
  isMember(model, who) || all(model, 'participant').some(one => one.person === who && one.state === 'active')

const guestScopes = [
  'rooms:write',
  'rooms:share',
  'files:write',
  'tasks:write',
  'connections:use',
  'approvals:decide',
]

/** Whether somebody has a permission. Guests read what is in their Rooms, but no Lists. */
export function may(model: Model, who: string, scope: string): boolean {
  if (!hasStanding(model, who)) return false
  const role = model.roles.get(who)
  if (!role) return scope.startsWith('list') ? false : scope.endsWith(':read') || guestScopes.includes(scope)
  return role !== 'viewer' || scope.endsWith(':read')
}

/** Whether somebody sees all who take part in a Room: in a masked one, guests do not see each other. */
export const seesAll = (model: Model, who: string, room: Room): boolean =>
  isMember(model, who) || !room.masked || levelIn(model, who, room) === 'full_access'

/** Whether somebody sees what concerns these people in a Room; without one, members do. */
function seesPlaced(model: Model, who: string, { room }: Thing, people: (string | null)[]): boolean {
  if (room === null) return isMember(model, who)
  if (levelIn(model, who, room) === null) return false
  const isKnown = (person: string | null) => person === null || person === who || isMember(model, person)
  return seesAll(model, who, room) || people.every(isKnown)
}

/** The level of somebody on a File: as the member who created it, or by the Rooms that have it. */
export function levelOnFile(model: Model, who: string, file: Thing): AccessLevel | null {
  const isOwn = file.by === who && file.membership === membershipOf(model, who)
  const own = isOwn && isMember(model, who) ? 'full_access' : null
  return all(model, 'room_file')
    .filter(one => one.of === file && one.state !== 'archived')
    .map(one => {
      const { room } = one
      const level = levelOn(model, who, one)
      return level !== null && isFrozen(room) ? 'view' : level
    })
    .reduce(higher, own)
}

/** The level of somebody on what stands in a place. Without a Room it is edit, and permissions decide. */
export function levelOn(model: Model, who: string, { noun, room, by }: Thing): AccessLevel | null {
  if (room === null) return isMember(model, who) ? 'edit' : null
  const level = levelIn(model, who, room)
  // A Room that hides guests keeps their Files apart, and they change no others.
  return noun === 'room_file' && level === 'edit' && !seesAll(model, who, room) && by !== who ? 'view' : level
}

/** Whether somebody sees a thing. */
// oxlint-disable-next-line typescript/consistent-return -- the switch has a case for every kind, and the compiler sees to that
export function sees(model: Model, who: string, thing: Thing): boolean {
  const room = thing.room as Room
  switch (thing.noun) {
    case 'room':
      return levelIn(model, who, thing as Room) !== null
    case 'participant': {
      if (levelIn(model, who, room) === null) return false
      if (seesAll(model, who, room) || (thing.state === 'pending' && thing.by === who)) return true
      return thing.joined && (thing.person === who || isMember(model, thing.person as string))
    }
    case 'goal':
      return seesPlaced(model, who, thing, [thing.by])
    case 'task':
      return seesPlaced(model, who, thing, [thing.by, thing.person])
    case 'connection':
    case 'approval':
      return seesPlaced(model, who, thing, [thing.by])
    case 'file':
      return levelOnFile(model, who, thing) !== null
    case 'room_file': {
      const level = levelOn(model, who, thing)
      return thing.state === 'archived' ? atLeast(level, 'edit') : level !== null
    }
    case 'list':
      return isMember(model, who)
  }
}

/** Whether the sender of an invitation could send it now. */
function isBacked(model: Model, invitation: Thing): boolean {
  const { by, level } = invitation
  const room = invitation.room as Room
  const own = levelIn(model, by, room)
  if (!may(model, by, 'rooms:share') || !atLeast(own, 'edit') || !atLeast(own, level)) return false
  return basisLasts(model, invitation) && (isMember(model, by) || seesAll(model, by, room))
}

/** Whether the membership and the participation go on by which somebody shared, requested or sent something. */
export const basisLasts = (model: Model, { basis, by, membership }: Thing): boolean =>
  membership === membershipOf(model, by) && (basis === null || basis.state === 'active')

export const sharerMayShare = (model: Model, { by, room }: Thing): boolean =>
  may(model, by, 'connections:share') && atLeast(levelIn(model, by, room as Room), 'edit')

export const requesterMay = (model: Model, approval: Thing): boolean =>
  basisLasts(model, approval) &&
  may(model, approval.by, 'connections:use') &&
  atLeast(levelIn(model, approval.by, approval.room as Room), 'edit')

/** The state that counts now, which follows from what others may do. */
export function shownState(model: Model, thing: Thing): string {
  const { noun, state } = thing
  if (noun === 'participant')
    return state === 'left' || (state === 'pending' && !isBacked(model, thing)) ? 'revoked' : state
  if (noun === 'connection') {
    if (state === 'stopped' || !basisLasts(model, thing)) return 'stopped'
    return sharerMayShare(model, thing) ? state : 'paused'
  }
  if (noun === 'approval' && thing.of && ['pending', 'held', 'approved'].includes(state))
    return shownState(model, thing.of) === 'stopped' ? 'canceled' : state
  return state
}
