import type { AccessLevel } from '@wbs/contract/scopes'
import {
  all,
  atLeast,
  isFrozen,
  isMember,
  levelIn,
  levelOn,
  levelOnFile,
  may,
  participation,
  sees,
  seesAll,
  shownState,
  type Model,
  type Room,
  type Thing,
} from './model.ts'
import { conflict, isLastManager, judge, type Refused } from './rules.ts'

/** A request to create something, or to enter or leave a Room. */
export type Other =
  | { kind: 'create_room'; parent: Room | null }
  | { kind: 'invite'; room: Room; person: string; level: AccessLevel }
  | { kind: 'answer'; of: Thing; accepts: boolean }
  | { kind: 'set_level'; of: Thing; level: AccessLevel }
  | { kind: 'leave'; room: Room }
  | { kind: 'create_goal'; room: Room | null }
  | { kind: 'create_task'; room: Room | null; assignee: string | null }
  | { kind: 'share'; room: Room }
  | { kind: 'request'; of: Thing }
  | { kind: 'create_file' }
  | { kind: 'attach'; room: Room; file: Thing }
  | { kind: 'create_list' }

/** How a request is refused; undefined if it is done. The walk itself adds what it creates. */
// oxlint-disable-next-line typescript/consistent-return -- the switch has a case for every kind, and the compiler sees to that
export function judgeOther(model: Model, who: string, ask: Other): Refused | undefined {
  switch (ask.kind) {
    case 'create_room':
      return judgeRoom(model, who, ask.parent)
    case 'invite':
      return judgeInvitation(model, who, ask)
    case 'answer':
      return judgeAnswer(model, ask.of)
    case 'set_level':
      return judgeLevel(model, who, ask)
    case 'leave':
      return judgeLeaving(model, who, ask.room)
    case 'create_goal':
      if (!may(model, who, 'goals:write')) return { refused: 'forbidden' }
      return judgePlace(model, who, ask.room, 'edit')
    case 'create_task':
      return judgeTask(model, who, ask)
    case 'share':
      if (!may(model, who, 'connections:share')) return { refused: 'forbidden' }
      return judgePlace(model, who, ask.room, 'edit')
    case 'request':
      return judgeRequest(model, who, ask.of)
    case 'create_file':
      return may(model, who, 'files:write') && isMember(model, who) ? undefined : { refused: 'forbidden' }
    case 'attach':
      return judgeAttachment(model, who, ask)
    case 'create_list':
      return may(model, who, 'lists:write') ? undefined : { refused: 'forbidden' }
  }
}

function judgePlace(model: Model, who: string, room: Room | null, level: 'view' | 'edit') {
  if (room === null) return isMember(model, who) ? undefined : { refused: 'forbidden' }
  if (!sees(model, who, room)) return { refused: 'not_found' }
  if (!atLeast(levelIn(model, who, room), level)) return { refused: 'forbidden' }
  return isFrozen(room) ? conflict('archived') : undefined
}

function judgeRoom(model: Model, who: string, parent: Room | null): Refused | undefined {
  if (!may(model, who, 'rooms:write')) return { refused: 'forbidden' }
  if (parent === null) return isMember(model, who) ? undefined : { refused: 'forbidden' }
  if (!sees(model, who, parent)) return { refused: 'not_found' }
  if (levelIn(model, who, parent) !== 'full_access') return { refused: 'forbidden' }
  return isFrozen(parent) ? conflict('archived') : undefined
}

function judgeInvitation(
  model: Model,
  who: string,
  { room, person, level }: Other & { kind: 'invite' },
): Refused | undefined {
  if (!may(model, who, 'rooms:share')) return { refused: 'forbidden' }
  if (!sees(model, who, room)) return { refused: 'not_found' }
  const own = levelIn(model, who, room)
  if (!atLeast(own, 'edit') || !seesAll(model, who, room) || !atLeast(own, level))
    return { refused: 'forbidden' }
  if (isFrozen(room)) return conflict('archived')
  if (participation(model, person, room)) return { refused: 'already_exists' }
  const pending = pendingOf(model, person, room)
  return pending && !atLeast(own, pending.level) ? { refused: 'forbidden' } : undefined
}

/** The invitation of somebody that is not answered, and counts. */
export const pendingOf = (model: Model, person: string, room: Room): Thing | undefined =>
  all(model, 'participant').find(
    one => one.room === room && one.person === person && shownState(model, one) === 'pending',
  )

/** The invitee answers with the token of the mail. */
function judgeAnswer(model: Model, of: Thing): Refused | undefined {
  if (of.joined && of.state !== 'revoked') return conflict('accepted')
  if (shownState(model, of) !== 'pending') return { refused: 'not_found' }
  return isFrozen(of.room) ? conflict('archived') : undefined
}

function judgeLevel(
  model: Model,
  who: string,
  { of, level }: Other & { kind: 'set_level' },
): Refused | undefined {
  const verdict = judge(model, who, { noun: 'participant', move: 'update', of, revision: 0 })
  if ('refused' in verdict) return verdict
  return level !== 'full_access' && isLastManager(model, of) ? conflict('last_full_access') : undefined
}

function judgeLeaving(model: Model, who: string, room: Room): Refused | undefined {
  if (!may(model, who, 'rooms:read')) return { refused: 'forbidden' }
  if (!sees(model, who, room)) return { refused: 'not_found' }
  const own = participation(model, who, room)
  if (!own) return conflict('no_participant')
  return isLastManager(model, own) ? conflict('last_full_access') : undefined
}

function judgeTask(
  model: Model,
  who: string,
  { room, assignee }: Other & { kind: 'create_task' },
): Refused | undefined {
  if (!may(model, who, 'tasks:write')) return { refused: 'forbidden' }
  const verdict = judgePlace(model, who, room, 'edit')
  if (verdict || assignee === null) return verdict
  const opens = room === null ? isMember(model, assignee) : levelIn(model, assignee, room) !== null
  const isKnown = room === null || assignee === who || isMember(model, assignee) || seesAll(model, who, room)
  return opens && isKnown ? undefined : { refused: 'validation_error' }
}

function judgeRequest(model: Model, who: string, of: Thing): Refused | undefined {
  if (!may(model, who, 'connections:use')) return { refused: 'forbidden' }
  if (!sees(model, who, of)) return { refused: 'not_found' }
  if (!atLeast(levelOn(model, who, of), 'edit')) return { refused: 'forbidden' }
  if (isFrozen(of.room)) return conflict('archived')
  const state = shownState(model, of)
  return state === 'live' ? undefined : conflict(state)
}

function judgeAttachment(
  model: Model,
  who: string,
  { room, file }: Other & { kind: 'attach' },
): Refused | undefined {
  if (!may(model, who, 'files:write')) return { refused: 'forbidden' }
  if (!sees(model, who, room)) return { refused: 'not_found' }
  if (!atLeast(levelIn(model, who, room), 'edit')) return { refused: 'forbidden' }
  if (!sees(model, who, file)) return { refused: 'not_found' }
  if (levelOnFile(model, who, file) !== 'full_access') return { refused: 'forbidden' }
  return isFrozen(room) || file.state === 'archived' ? conflict('archived') : undefined
}
