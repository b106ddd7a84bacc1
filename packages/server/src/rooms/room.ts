/** Who sees the Files that guests bring into a Room, besides managers. */
export type GuestFiles = 'uploader' | 'everyone'

export type GeneralAccess = 'invited_only' | 'business' | 'workspace'

/** What the rules below need of a Room. */
export interface Room {
  title: string
  purpose: string | null
  status: 'active' | 'archived'
  business_id: string | null
  parent_id: string | null
  general_access: GeneralAccess
  general_access_level: 'view' | 'edit' | null
  participant_visibility: 'everyone' | 'managers'
  /** Who sees the Files that guests bring. Null: it follows participant_visibility. */
  guest_files: GuestFiles | null
}

export type RoomChanges = Partial<
  Pick<Room, 'title' | 'purpose' | 'general_access' | 'participant_visibility'> & {
    general_access_level: 'view' | 'edit'
    guest_files: GuestFiles
  }
>

/** Applies changes to a Room. General access without a level gets the level `view`. */
export function editRoom<R extends Room>(room: R, changes: RoomChanges): R {
  const edited = { ...room, ...changes }
  if (edited.general_access === 'invited_only') return { ...edited, general_access_level: null }
  return { ...edited, general_access_level: edited.general_access_level ?? 'view' }
}

/** The first field of a change that the Room cannot have, and why; undefined if there is none. */
export function findConflict(
  room: Room,
  changes: RoomChanges,
): { field: keyof Room; detail: string } | undefined {
  const { general_access = room.general_access, general_access_level } = changes
  if (room.parent_id !== null && general_access !== 'invited_only')
    return { field: 'general_access', detail: 'The general_access of a sub-room must be invited_only.' }
  if (general_access === 'business' && room.business_id === null)
    return {
      field: 'general_access',
      detail: 'general_access can be business only in a Room with a Business.',
    }
  if (general_access === 'invited_only' && general_access_level !== undefined)
    return { field: 'general_access_level', detail: 'general_access_level is not allowed with invited_only.' }
  return undefined
}

const editable = [
  'title',
  'purpose',
  'general_access',
  'general_access_level',
  'participant_visibility',
  'guest_files',
] as const
const accessFields: readonly string[] = [
  'general_access',
  'general_access_level',
  'participant_visibility',
  'guest_files',
]

/** The fields in which two states of a Room differ: those that describe it, and those that control access. */
export function changedFields(before: Room, after: Room): { described: string[]; access: string[] } {
  const described: string[] = []
  const access: string[] = []
  for (const field of editable)
    if (before[field] !== after[field]) (accessFields.includes(field) ? access : described).push(field)
  return { described, access }
}
