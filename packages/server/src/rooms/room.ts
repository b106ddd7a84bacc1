export type GeneralAccess = 'invited_only' | 'business' | 'workspace'

/** A Room as far as its rules go. */
export interface Room {
  title: string
  purpose: string | null
  status: 'active' | 'archived'
  business_id: string | null
  parent_id: string | null
  general_access: GeneralAccess
  general_access_level: 'view' | 'edit' | null
  participant_visibility: 'everyone' | 'managers'
}

export type RoomChanges = Partial<
  Pick<Room, 'title' | 'purpose' | 'general_access' | 'participant_visibility'> & {
    general_access_level: 'view' | 'edit'
  }
>

/** The Room with its changes. Who opens it to more people lets them view it, unless it is said how far they can go. */
export function editRoom<R extends Room>(room: R, changes: RoomChanges): R {
  const edited = { ...room, ...changes }
  if (edited.general_access === 'invited_only') return { ...edited, general_access_level: null }
  return { ...edited, general_access_level: edited.general_access_level ?? 'view' }
}

/** The parameter of a change that the Room cannot have, and why; undefined if it can. */
export function impossible(
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
] as const
const ofAccess: readonly string[] = ['general_access', 'general_access_level', 'participant_visibility']

/** The fields in which two states of a Room differ: those of its description, and those that say who sees what. */
export function changedFields(before: Room, after: Room): { described: string[]; access: string[] } {
  const changed = editable.filter(field => before[field] !== after[field])
  return {
    described: changed.filter(field => !ofAccess.includes(field)),
    access: changed.filter(field => ofAccess.includes(field)),
  }
}
