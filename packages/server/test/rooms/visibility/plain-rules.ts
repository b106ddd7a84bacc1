import { includes, type AccessLevel } from '@wbs/contract/scopes'

/** The rules of who sees what of a Room, of plain data. The functions of the database are compared with them. */

export interface PlainWorld {
  memberships: { workspace_id: string; id: string; user_id: string; status: 'active' | 'removed' }[]
  /** The ids of those that are published. */
  published: string[]
  links: { workspace_id: string; business_id: string; removed: boolean; sees_unpublished: boolean }[]
  rooms: PlainRoom[]
  participations: PlainParticipation[]
  files: PlainRoomFile[]
  permissions: PlainPermission[]
}

export interface PlainRoom {
  workspace_id: string
  id: string
  business_id: string | null
  general_access: 'invited_only' | 'business' | 'workspace'
  general_access_level: 'view' | 'edit' | null
  participant_visibility: 'everyone' | 'managers'
  guest_files: 'uploader' | 'everyone' | null
}

export interface PlainParticipation {
  workspace_id: string
  room_id: string
  id: string
  user_id: string
  access_level: AccessLevel
  status: 'active' | 'left' | 'revoked'
  as_guest: boolean
  membership_id: string | null
  /** In days from now. */
  ends_in: number | null
}

export interface PlainRoomFile {
  workspace_id: string
  room_id: string
  id: string
  access_mode: 'inherit_room' | 'restricted'
  status: 'pending' | 'active' | 'archived'
  /** The guest who brought it. */
  guest_id: string | null
}

/** A permission on a File in a Room, and the participation or membership that it ends with. */
export interface PlainPermission {
  workspace_id: string
  room_id: string
  room_file_id: string
  id: string
  user_id: string
  access_level: AccessLevel
  status: 'active' | 'revoked'
  participant_id: string | null
  membership_id: string | null
}

export interface PlainViewer {
  workspace_id: string
  user_id: string
  is_member: boolean
  reads_businesses: boolean
}

export const canRead = (world: PlainWorld, viewer: PlainViewer, business_id: string): boolean =>
  world.published.includes(business_id) ||
  (viewer.reads_businesses &&
    world.links.some(
      link =>
        link.workspace_id === viewer.workspace_id &&
        link.business_id === business_id &&
        !link.removed &&
        link.sees_unpublished,
    ))

/** Whether somebody takes part by this participation now: a member's ends with the membership that they joined with. */
const counts = (world: PlainWorld, own: PlainParticipation) =>
  own.status === 'active' &&
  (own.ends_in === null || own.ends_in > 0) &&
  (own.as_guest || isActive(world, own.workspace_id, own.membership_id))

const participationOf = (world: PlainWorld, room: PlainRoom, user_id: string) =>
  world.participations.find(
    own =>
      own.workspace_id === room.workspace_id &&
      own.room_id === room.id &&
      own.user_id === user_id &&
      counts(world, own),
  )

const isActive = (world: PlainWorld, workspace_id: string, id: string | null) =>
  world.memberships.some(
    held => held.workspace_id === workspace_id && held.id === id && held.status === 'active',
  )

function generalLevel(world: PlainWorld, viewer: PlainViewer, room: PlainRoom): AccessLevel | null {
  if (!viewer.is_member) return null
  if (room.general_access === 'workspace') return room.general_access_level
  const { business_id } = room
  if (room.general_access !== 'business' || !viewer.reads_businesses || business_id === null) return null
  return canRead(world, viewer, business_id) ? room.general_access_level : null
}

/** The higher one of the level of the participation and of general access. */
export function levelIn(world: PlainWorld, viewer: PlainViewer, room: PlainRoom): AccessLevel | null {
  const taken = participationOf(world, room, viewer.user_id)?.access_level ?? null
  const general = generalLevel(world, viewer, room)
  if (taken === null || general === null) return taken ?? general
  return includes(taken, general) ? taken : general
}

/** Whether a Room hides other guests from the viewer, who has this level in it. */
const masks = (room: PlainRoom, viewer: PlainViewer, level: AccessLevel) =>
  !viewer.is_member && room.participant_visibility === 'managers' && level !== 'full_access'

/** Whom a guest sees in a masked Room: themselves, members, and where nobody is named. */
export const knows = (world: PlainWorld, viewer: PlainViewer, person: string | null): boolean =>
  person === null ||
  person === viewer.user_id ||
  world.memberships.some(
    held => held.workspace_id === viewer.workspace_id && held.user_id === person && held.status === 'active',
  )

/** The level on a row that stands in a Room, or in the Workspace, and concerns some people. */
export function levelOnPlaced(
  world: PlainWorld,
  viewer: PlainViewer,
  room: PlainRoom | null,
  people: readonly (string | null)[],
): AccessLevel | null {
  if (room === null) return viewer.is_member ? 'edit' : null
  const level = levelIn(world, viewer, room)
  if (level === null || !masks(room, viewer, level)) return level
  return people.every(person => knows(world, viewer, person)) ? level : null
}

/** The level on a File in a Room, for somebody with this level in the Room. */
export function levelOnRoomFile(
  world: PlainWorld,
  viewer: PlainViewer,
  room: PlainRoom,
  file: PlainRoomFile,
): AccessLevel | null {
  const level = levelOnAnyRoomFile(world, viewer, room, file)
  if (file.status !== 'archived' || level === null) return level
  return includes(level, 'edit') ? level : null
}

function levelOnAnyRoomFile(world: PlainWorld, viewer: PlainViewer, room: PlainRoom, file: PlainRoomFile) {
  const in_room = levelIn(world, viewer, room)
  if (in_room === null || in_room === 'full_access') return in_room
  const isKept =
    (room.guest_files ?? (room.participant_visibility === 'managers' ? 'uploader' : 'everyone')) ===
    'uploader'
  const isTheirs = file.guest_id === viewer.user_id
  const isOpen = file.access_mode === 'inherit_room' && (file.guest_id === null || isTheirs || !isKept)
  if (!isOpen) return permissionOn(world, viewer, file)
  // Guests change only what they brought, where a Room keeps the Files of guests.
  return viewer.is_member || isTheirs || !isKept ? in_room : 'view'
}

/** A permission ends with the participation and the membership by which somebody could open the Room when it was granted. */
function permissionOn(world: PlainWorld, { user_id }: PlainViewer, file: PlainRoomFile): AccessLevel | null {
  const given = world.permissions.find(
    one => one.room_file_id === file.id && one.user_id === user_id && one.status === 'active',
  )
  if (!given) return null
  const { workspace_id, participant_id, membership_id } = given
  const participation = world.participations.find(own => own.id === participant_id)
  if (participant_id !== null && !(participation && counts(world, participation))) return null
  return membership_id === null || isActive(world, workspace_id, membership_id) ? given.access_level : null
}
