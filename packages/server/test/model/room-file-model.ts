import type { AccessLevel } from '@wbs/contract/scopes'

/** A model of the rules of Files in Rooms, as simple as possible. The service is compared with it. */

export interface ModelRoom {
  id: string
  general: 'view' | 'edit' | null
  /** The participants. Each participation has a number of its own, so that another one of the same person differs. */
  participants: Map<string, { level: AccessLevel; number: number }>
}

export interface ModelFile {
  id: string
  creator: string
}

/** A permission, and the participation that it ends with; null for one that ends with the membership. */
interface ModelPermission {
  level: AccessLevel
  participation: number | null
  revoked: boolean
}

export interface ModelRoomFile {
  id: string
  room: ModelRoom
  file: ModelFile
  path: string
  archived: boolean
  restricted: boolean
  revision: number
  permissions: Map<string, ModelPermission>
}

export interface Model {
  /** All of them stay members. */
  members: readonly string[]
  rooms: ModelRoom[]
  files: ModelFile[]
  /** In the order in which they were attached. */
  roomFiles: ModelRoomFile[]
}

export type Ask =
  | { kind: 'attach'; room: ModelRoom; file: ModelFile }
  | { kind: 'move' | 'lift' | 'archive' | 'restore'; of: ModelRoomFile; revision: number }
  | { kind: 'grant'; of: ModelRoomFile; person: string; level: AccessLevel }
  | { kind: 'revoke'; of: ModelRoomFile; person: string }

/** The code that it is refused with, or its effect on the model; none if nothing changes. */
export type Verdict = { refused: string } | { apply?: () => void }

const rank = { view: 1, edit: 2, full_access: 3 } as const
const highest = (levels: (AccessLevel | null)[]): AccessLevel | null =>
  levels.reduce((a, b) => (a === null || (b !== null && rank[b] > rank[a]) ? b : a), null)

export const levelIn = ({ members }: Model, who: string, { participants, general }: ModelRoom) =>
  highest([participants.get(who)?.level ?? null, members.includes(who) ? general : null])

/** The level of the permission of somebody, if it is in force. */
function permitted({ permissions, room }: ModelRoomFile, who: string): AccessLevel | null {
  const held = permissions.get(who)
  if (!held || held.revoked) return null
  const lasts = held.participation === null || held.participation === room.participants.get(who)?.number
  return lasts ? held.level : null
}

export function levelOn(model: Model, who: string, of: ModelRoomFile): AccessLevel | null {
  const inRoom = levelIn(model, who, of.room)
  if (inRoom === null) return null
  const level = inRoom === 'full_access' || !of.restricted ? inRoom : permitted(of, who)
  return of.archived && level === 'view' ? null : level
}

export const levelOnFile = (model: Model, who: string, file: ModelFile): AccessLevel | null =>
  highest([
    file.creator === who && model.members.includes(who) ? 'full_access' : null,
    ...model.roomFiles.filter(of => of.file === file && !of.archived).map(of => levelOn(model, who, of)),
  ])

/** Whether somebody sees the events of a File in a Room: its present attachment decides, or the last one if it has left. */
export function knows(model: Model, who: string, room: ModelRoom, file_id: string): boolean {
  const level = levelIn(model, who, room)
  const all = model.roomFiles.filter(of => of.room === room && of.file.id === file_id)
  const last = all.find(of => !of.archived) ?? all.at(-1)
  return level === 'full_access' || (level !== null && (!last?.restricted || permitted(last, who) !== null))
}

const attached = ({ roomFiles }: Model, room: ModelRoom, file: ModelFile) =>
  roomFiles.find(of => of.room === room && of.file === file && !of.archived)

export function judge(model: Model, who: string, ask: Ask): Verdict {
  const { rooms, members } = model
  if (!members.includes(who) && !rooms.some(room => room.participants.has(who)))
    return { refused: 'forbidden' }
  if (ask.kind === 'attach') return judgeAttachment(model, who, ask)
  const { of } = ask
  const level = levelOn(model, who, of)
  if (level === null) return { refused: 'not_found' }
  const needed = ['lift', 'grant', 'revoke'].includes(ask.kind) ? 'full_access' : 'edit'
  if (rank[level] < rank[needed]) return { refused: 'forbidden' }
  if (ask.kind === 'grant') return judgeGrant(model, ask)
  if (ask.kind === 'revoke') return judgeRevocation(ask)
  if (ask.kind === 'restore' ? !of.archived : of.archived && ask.kind !== 'archive')
    return { refused: 'state_conflict' }
  if (ask.revision !== of.revision) return { refused: 'revision_conflict' }
  if (ask.kind === 'restore' && attached(model, of.room, of.file)) return { refused: 'state_conflict' }
  return judgeChange(ask)
}

function judgeAttachment(model: Model, who: string, { room, file }: Ask & { kind: 'attach' }): Verdict {
  const [inRoom, onFile] = [levelIn(model, who, room), levelOnFile(model, who, file)]
  if (inRoom === null) return { refused: 'not_found' }
  if (inRoom === 'view') return { refused: 'forbidden' }
  if (onFile !== 'full_access') return { refused: onFile === null ? 'not_found' : 'forbidden' }
  const there = attached(model, room, file)
  if (there) return levelOn(model, who, there) === null ? { refused: 'state_conflict' } : {}
  // The service gives it its id.
  return { apply() {} }
}

function judgeChange({ kind, of }: Ask & { kind: 'move' | 'lift' | 'archive' | 'restore' }): Verdict {
  if ((kind === 'archive' && of.archived) || (kind === 'lift' && !of.restricted)) return {}
  return {
    apply() {
      of.revision++
      if (kind === 'move') of.path = `Moved ${of.revision}.md`
      else if (kind !== 'lift') of.archived = kind === 'archive'
      else {
        of.restricted = false
        for (const held of of.permissions.values()) held.revoked = true
      }
    },
  }
}

function judgeGrant(model: Model, { of, person, level }: Ask & { kind: 'grant' }): Verdict {
  if (of.archived) return { refused: 'state_conflict' }
  if (levelIn(model, person, of.room) === null) return { refused: 'validation_error' }
  const participation = of.room.participants.get(person)?.number ?? null
  const held = of.permissions.get(person)
  const isSame = held?.level === level && held.participation === participation && !held.revoked
  if (of.restricted && isSame) return {}
  return {
    apply() {
      if (!of.restricted) of.revision++
      of.restricted = true
      of.permissions.set(person, { level, participation, revoked: false })
    },
  }
}

function judgeRevocation({ of, person }: Ask & { kind: 'revoke' }): Verdict {
  const held = of.permissions.get(person)
  if (!held) return { refused: 'not_found' }
  if (permitted(of, person) === null) return { refused: 'state_conflict' }
  return { apply: () => void (held.revoked = true) }
}
