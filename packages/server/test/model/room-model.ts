import type { AccessLevel, Role } from '@wbs/contract/scopes'

/** A model of the rules of Rooms, as simple as possible: no database, no concurrency. The service is compared with it. */

export interface ModelBusiness {
  id: string
  name: string
  is_public: boolean
  /** The Workspaces that see it although it is not published. */
  linked: Set<string>
}

export interface ModelRoom {
  id: string
  workspace: string
  title: string
  business: ModelBusiness | null
  parent: ModelRoom | null
  status: 'active' | 'archived'
  revision: number
  general_access: 'invited_only' | 'business' | 'workspace'
  general_access_level: 'view' | 'edit' | null
  attachments: ModelBusiness[]
  /** The participants, and their access levels. */
  participants: Map<string, AccessLevel>
}

export interface Model {
  /** Roles by Workspace and actor. */
  roles: Map<string, Map<string, Role>>
  businesses: ModelBusiness[]
  rooms: ModelRoom[]
}

/** A request in a Workspace. */
export type Ask =
  | { kind: 'create'; business: ModelBusiness | null; parent: ModelRoom | null }
  | { kind: 'get'; room: ModelRoom }
  | { kind: 'list' }
  | { kind: 'update'; room: ModelRoom; revision: number; changes: ModelChanges }
  | { kind: 'archive'; room: ModelRoom; revision: number }
  | { kind: 'restore'; room: ModelRoom; revision: number }
  | { kind: 'attach'; room: ModelRoom; business: ModelBusiness }
  | { kind: 'detach'; room: ModelRoom; business: ModelBusiness }
  | { kind: 'level'; room: ModelRoom; person: string; level: AccessLevel }
  | { kind: 'revoke'; room: ModelRoom; person: string }
  | { kind: 'leave'; room: ModelRoom }
  | { kind: 'break_glass'; room: ModelRoom }

export interface ModelChanges {
  title?: string
  general_access?: ModelRoom['general_access']
  general_access_level?: 'view' | 'edit'
}

/** The code that it is refused with; or null, and its effect on the model. */
export type Verdict = { refused: string } | { apply(): void; changed: boolean }

const rank = { view: 1, edit: 2, full_access: 3 } as const
const most = 50

export const opens = (model: Model, workspace: string, actor: string, business: ModelBusiness): boolean =>
  business.is_public || (isMember(model, workspace, actor) && business.linked.has(workspace))

const isMember = (model: Model, workspace: string, actor: string) =>
  model.roles.get(workspace)?.has(actor) === true

/** Somebody's access level to a Room; null if they cannot see it. */
export function levelIn(model: Model, actor: string, room: ModelRoom): AccessLevel | null {
  const given = room.participants.get(actor) ?? null
  const general =
    isMember(model, room.workspace, actor) && reaches(model, actor, room) ? room.general_access_level : null
  if (given === null || general === null) return given ?? general
  return rank[given] >= rank[general] ? given : general
}

function reaches(model: Model, actor: string, room: ModelRoom): boolean {
  if (room.general_access === 'workspace') return true
  return (
    room.general_access === 'business' &&
    room.business !== null &&
    opens(model, room.workspace, actor, room.business)
  )
}

export const visible = (model: Model, actor: string, workspace: string): ModelRoom[] =>
  model.rooms.filter(room => room.workspace === workspace && levelIn(model, actor, room) !== null)

/** Whether somebody may read Rooms in a Workspace, and change them. */
function standing(model: Model, actor: string, workspace: string): { reads: boolean; writes: boolean } {
  const role = model.roles.get(workspace)?.get(actor)
  if (role) return { reads: true, writes: role !== 'viewer' }
  const isGuest = model.rooms.some(room => room.workspace === workspace && room.participants.has(actor))
  return { reads: isGuest, writes: isGuest }
}

export function judge(model: Model, actor: string, workspace: string, ask: Ask): Verdict {
  const { reads, writes } = standing(model, actor, workspace)
  // Nobody may be kept from leaving.
  const isRead = ask.kind === 'get' || ask.kind === 'list' || ask.kind === 'leave'
  if (!(isRead ? reads : writes)) return { refused: 'forbidden' }
  if (ask.kind === 'list') return nothing
  if (ask.kind === 'create') return judgeCreation(model, actor, workspace, ask)
  if (ask.kind === 'break_glass') return judgeBreakGlass(model, actor, workspace, ask.room)
  const { room } = ask
  const level = room.workspace === workspace ? levelIn(model, actor, room) : null
  if (level === null) return { refused: 'not_found' }
  if (ask.kind === 'get') return nothing
  if (ask.kind === 'attach' || ask.kind === 'detach') return judgeAttachment(model, actor, level, ask)
  if (ask.kind === 'leave') return judgeEnd(room, actor)
  if (ask.kind === 'level' || ask.kind === 'revoke') return judgeParticipant(level, ask)
  if (level !== 'full_access') return { refused: 'forbidden' }
  if (ask.kind === 'update') return judgeUpdate(ask)
  return ask.kind === 'archive' ? judgeArchive(room, ask.revision) : judgeRestore(room, ask.revision)
}

const nothing: Verdict = { apply() {}, changed: false }

function judgeCreation(
  model: Model,
  actor: string,
  workspace: string,
  { business, parent }: Ask & { kind: 'create' },
): Verdict {
  const level = parent && parent.workspace === workspace ? levelIn(model, actor, parent) : null
  if (parent && level === null) return { refused: 'not_found' }
  if (parent && level !== 'full_access') return { refused: 'forbidden' }
  if (!parent && !isMember(model, workspace, actor)) return { refused: 'forbidden' }
  if (parent && (parent.parent || (business && business !== parent.business)))
    return { refused: 'validation_error' }
  if (parent && parent.status === 'archived') return { refused: 'state_conflict' }
  if (!parent && business && !opens(model, workspace, actor, business)) return { refused: 'not_found' }
  return { apply() {}, changed: true }
}

/** An owner can enter every Room of the Workspace, visible or not. */
function judgeBreakGlass(model: Model, actor: string, workspace: string, room: ModelRoom): Verdict {
  if (model.roles.get(workspace)?.get(actor) !== 'owner') return { refused: 'forbidden' }
  if (room.workspace !== workspace) return { refused: 'not_found' }
  return {
    changed: room.participants.get(actor) !== 'full_access',
    apply: () => void room.participants.set(actor, 'full_access'),
  }
}

function judgeParticipant(
  level: AccessLevel,
  ask: (Ask & { kind: 'level' }) | (Ask & { kind: 'revoke' }),
): Verdict {
  const { room, person } = ask
  const before = room.participants.get(person)
  if (before === undefined) return { refused: 'not_found' }
  if (level !== 'full_access') return { refused: 'forbidden' }
  if (ask.kind === 'revoke') return judgeEnd(room, person)
  if (isFrozen(room) || (ask.level !== 'full_access' && isLastManager(room, person)))
    return { refused: 'state_conflict' }
  return { changed: before !== ask.level, apply: () => void room.participants.set(person, ask.level) }
}

/** Ends a participation; the last participant with full access stays. */
function judgeEnd(room: ModelRoom, person: string): Verdict {
  if (!room.participants.has(person) || isLastManager(room, person)) return { refused: 'state_conflict' }
  return { changed: true, apply: () => void room.participants.delete(person) }
}

const isLastManager = ({ participants }: ModelRoom, person: string): boolean =>
  participants.get(person) === 'full_access' &&
  [...participants].every(([other, level]) => other === person || level !== 'full_access')

const isFrozen = (room: ModelRoom) => room.status === 'archived' || room.parent?.status === 'archived'

function judgeUpdate({ room, revision, changes }: Ask & { kind: 'update' }): Verdict {
  const { title = room.title, general_access = room.general_access, general_access_level: wanted } = changes
  const isClosed = general_access === 'invited_only'
  if ((room.parent && !isClosed) || (general_access === 'business' && !room.business) || (isClosed && wanted))
    return { refused: 'validation_error' }
  if (isFrozen(room)) return { refused: 'state_conflict' }
  if (room.revision !== revision) return { refused: 'revision_conflict' }
  const general_access_level = isClosed ? null : (wanted ?? room.general_access_level ?? 'view')
  const changed =
    title !== room.title ||
    general_access !== room.general_access ||
    general_access_level !== room.general_access_level
  return {
    changed,
    apply() {
      Object.assign(room, { title, general_access, general_access_level })
      if (changed) room.revision++
    },
  }
}

function judgeArchive(room: ModelRoom, revision: number): Verdict {
  const changed = room.status === 'active'
  if (changed && room.parent?.status === 'archived') return { refused: 'state_conflict' }
  return judgeStatus(room, revision, 'archived', changed)
}

function judgeRestore(room: ModelRoom, revision: number): Verdict {
  if (room.status === 'active' || room.parent?.status === 'archived') return { refused: 'state_conflict' }
  return judgeStatus(room, revision, 'active', true)
}

function judgeStatus(
  room: ModelRoom,
  revision: number,
  status: ModelRoom['status'],
  changed: boolean,
): Verdict {
  if (room.revision !== revision) return { refused: 'revision_conflict' }
  return {
    changed,
    apply() {
      room.status = status
      if (changed) room.revision++
    },
  }
}

function judgeAttachment(
  model: Model,
  actor: string,
  level: AccessLevel,
  { kind, room, business }: Ask & { kind: 'attach' | 'detach' },
): Verdict {
  const isThere = room.attachments.includes(business)
  if (kind === 'attach' ? !opens(model, room.workspace, actor, business) : !isThere)
    return { refused: 'not_found' }
  if (rank[level] < rank.edit) return { refused: 'forbidden' }
  if (isFrozen(room)) return { refused: 'state_conflict' }
  if (kind === 'attach' && !isThere && room.attachments.length >= most) return { refused: 'limit_reached' }
  const changed = kind === 'detach' || !isThere
  return {
    changed,
    apply() {
      if (kind === 'detach') room.attachments = room.attachments.filter(one => one !== business)
      else if (!isThere) room.attachments.push(business)
      if (changed) room.revision++
    },
  }
}
