import { nextState, type StateMachine } from '@wbs/contract/state-machine'
import { stateMachines, type StateOf } from '@wbs/contract/state-machines'
import {
  all,
  atLeast,
  basisLasts,
  isFrozen,
  levelIn,
  levelOn,
  levelOnFile,
  may,
  requesterMay,
  sees,
  sharerMayShare,
  shownState,
  type Model,
  type Noun,
  type Room,
  type Thing,
} from './model.ts'

/** A request that moves a thing. */
export interface Move {
  noun: Noun
  move: string
  of: Thing
  revision: number
}

/** How a request is refused, with the current status if that is to be compared; or its effect on the model. */
export type Verdict = Refused | { apply(): void }
export interface Refused {
  refused: string
  status?: string
}

/** Who may make a move, and whether the Room must be active. */
interface Rule {
  scope: string
  may(model: Model, who: string, of: Thing): boolean
  inArchivedRoom?: boolean
}

const inRoom =
  (level: 'view' | 'edit' | 'full_access') =>
  (model: Model, who: string, of: Thing): boolean =>
    atLeast(levelOn(model, who, of), level)

const ofRoom: Rule = {
  scope: 'rooms:write',
  may: (model, who, of) => levelIn(model, who, of as Room) === 'full_access',
  inArchivedRoom: true,
}
const ofGoal: Rule = { scope: 'goals:write', may: inRoom('edit') }
const ofTask: Rule = {
  scope: 'tasks:write',
  may: (model, who, of) => of.by === who || of.person === who || inRoom('edit')(model, who, of),
}
const canceling: Rule = {
  scope: 'tasks:write',
  may: (model, who, of) => of.by === who || inRoom('edit')(model, who, of),
}
const controlling: Rule = {
  scope: 'connections:use',
  may: (model, who, of) => of.by === who || inRoom('full_access')(model, who, of),
}
/** Whether somebody still shares the connection of an approval. */
const isAsked = (model: Model, who: string, { of }: Thing): boolean =>
  of !== null && of.by === who && basisLasts(model, of)

const deciding: Rule = {
  scope: 'approvals:decide',
  may: (model, who, of) => isAsked(model, who, of) || inRoom('full_access')(model, who, of),
}
const ofFile = (level: 'edit' | 'full_access'): Rule => ({
  scope: 'files:write',
  may: (model, who, of) => atLeast(levelOnFile(model, who, of), level),
  inArchivedRoom: true,
})
const ofRoomFile: Rule = { scope: 'files:write', may: inRoom('edit') }
const ofList: Rule = { scope: 'lists:write', may: () => true, inArchivedRoom: true }

/** The rule of every move that a person makes by a request. */
export const rules: Readonly<Record<Noun, Readonly<Record<string, Rule>>>> = {
  room: { update: ofRoom, archive: ofRoom, restore: ofRoom },
  participant: {
    update: { scope: 'rooms:share', may: inRoom('full_access') },
    resend: {
      scope: 'rooms:share',
      may: (model, who, of) => inRoom('edit')(model, who, of) && inRoom(of.level)(model, who, of),
    },
    revoke: {
      scope: 'rooms:share',
      may: (model, who, of) =>
        inRoom('full_access')(model, who, of) || (shownState(model, of) === 'pending' && of.by === who),
      inArchivedRoom: true,
    },
  },
  goal: { update: ofGoal, complete: ofGoal, cancel: ofGoal, reopen: ofGoal },
  task: { open: ofTask, start: ofTask, block: ofTask, complete: ofTask, cancel: canceling, reopen: ofTask },
  connection: {
    read: { scope: 'connections:use', may: () => true, inArchivedRoom: true },
    pause: { ...controlling, inArchivedRoom: true },
    resume: controlling,
    stop: { ...controlling, inArchivedRoom: true },
    reconnect: { scope: 'connections:use', may: (_model, who, of) => of.by === who },
  },
  approval: {
    approve: deciding,
    decline: deciding,
    cancel: {
      scope: 'connections:use',
      may: (model, who, of) => of.by === who || inRoom('full_access')(model, who, of),
    },
  },
  file: { update: ofFile('edit'), archive: ofFile('full_access'), restore: ofFile('full_access') },
  room_file: { update: ofRoomFile, archive: ofRoomFile, restore: ofRoomFile },
  list: { update: ofList, archive: ofList, restore: ofList },
}

export function judge(model: Model, who: string, { noun, move, of, revision }: Move): Verdict {
  const rule = rules[noun][move] as Rule
  if (!may(model, who, rule.scope)) return { refused: 'forbidden' }
  if (!sees(model, who, of)) return { refused: 'not_found' }
  if (!rule.may(model, who, of)) return { refused: 'forbidden' }
  if (!rule.inArchivedRoom && isFrozen(of.room)) return conflict('archived')
  const from = noun === 'connection' ? stateBefore(model, move, of) : shownState(model, of)
  if (noun === 'room_file' && move === 'restore' && of.of?.state === 'archived') return conflict('archived')
  const to = nextState(machineOf(noun), move === 'approve' ? approving(model, of) : move, from)
  if (to === undefined) return conflict(from)
  const obstacle = obstacleTo(model, move, of)
  if (obstacle !== null) return conflict(obstacle)
  if (isRevised(noun) && revision !== of.revision) return { refused: 'revision_conflict' }
  if (noun === 'room_file' && move === 'restore' && isAttached(model, of)) return conflict('archived')
  return { apply: () => made(model, who, { noun, move, of, revision }, to) }
}

const machineOf = (noun: Noun): StateMachine => stateMachines[noun]

export const conflict = (status: string): Refused => ({
  refused: 'state_conflict',
  status: status === 'held' ? 'approved' : status,
})

const isRevised = (noun: Noun): boolean => noun !== 'participant' && noun !== 'connection'

/**
 * The state of a connection for a move. One that is paused because its sharer may not share can be paused for longer; one that
 * is live again can be resumed while an approval waits for that.
 */
function stateBefore(model: Model, move: string, of: Thing): string {
  const shown = shownState(model, of)
  if (move === 'pause' && shown === 'paused') return of.state
  const holds = () => all(model, 'approval').some(one => one.of === of && shownState(model, one) === 'held')
  return move === 'resume' && shown === 'live' && holds() ? 'paused' : shown
}

const approving = (model: Model, { of }: Thing): string =>
  of && shownState(model, of) === 'live' ? 'approve' : 'approve_while_paused'

/** The status with which something besides the machine refuses a move, or null. */
function obstacleTo(model: Model, move: string, of: Thing): string | null {
  if (of.noun === 'room') {
    const changes = move !== 'archive' || of.state === 'active'
    return changes && (of as Room).parent?.state === 'archived' ? 'archived' : null
  }
  if (move === 'resume' && !sharerMayShare(model, of)) return shownState(model, of)
  if (move === 'approve' && !requesterMay(model, of)) return of.state
  return of.noun === 'participant' && move === 'revoke' && isLastManager(model, of)
    ? 'last_full_access'
    : null
}

/** Whether a participant is the only one with full access. */
export const isLastManager = (model: Model, of: Thing): boolean =>
  of.state === 'active' &&
  of.level === 'full_access' &&
  all(model, 'participant').every(
    one => one === of || one.room !== of.room || one.state !== 'active' || one.level !== 'full_access',
  )

const isAttached = (model: Model, { of, room }: Thing): boolean =>
  all(model, 'room_file').some(one => one.of === of && one.room === room && one.state !== 'archived')

/** What a move changes besides the state of the thing. */
function made(model: Model, who: string, { noun, move, of }: Move, to: string): void {
  if (noun === 'participant') {
    if (move === 'revoke') of.state = to
    return
  }
  if (noun === 'connection') return madeOfConnection(model, move, of)
  if (of.state !== to || (move === 'update' && noun !== 'task')) of.revision++
  of.state = to
  if (move === 'approve') of.decider = who
}

function madeOfConnection(model: Model, move: string, of: Thing): void {
  if (move === 'pause' && of.state === 'live') of.state = 'paused'
  if (move === 'stop') of.state = 'stopped'
  if (move === 'resume' || move === 'reconnect') of.state = 'live'
  const ofApprovals = move === 'reconnect' ? 'resume' : move
  if (ofApprovals === 'resume' || ofApprovals === 'stop') moveApprovals(model, of, ofApprovals)
}

/** Moves the approvals of a connection that can make the move. */
export function moveApprovals(model: Model, connection: Thing, move: 'resume' | 'stop'): void {
  for (const approval of all(model, 'approval').filter(one => one.of === connection)) {
    const to = nextState(stateMachines.approval, move, approval.state as StateOf<'approval'>)
    if (to !== undefined) endIn(approval, to)
  }
}

export function endIn(approval: Thing, state: string): void {
  approval.state = state
  approval.revision++
}
