import { approvalMachine, type ApprovalState, type ApprovalStatus } from '@wbs/contract/connections/approvals'
import type { ConnectionStatus } from '@wbs/contract/connections/connections'
import { includes, type AccessLevel } from '@wbs/contract/scopes'
import { nextState } from '@wbs/contract/state-machine'

/** What the rules below need of an approval. */
export interface ApprovalInState {
  /** The status that counts now: one that has expired, or whose connection has ended, is not pending any more. */
  status: ApprovalStatus
  held_for: 'resume' | null
}

/** How many approvals that are open a Room can have. */
export const mostOpen = 1000

const [second, day] = [1000, 86_400_000]

/** When a request expires by default, in milliseconds, and the bounds of what a requester can choose. */
const expiry = { least: second, byDefault: 7 * day, most: 30 * day }

/** When a request expires that is made at a moment; null if the requester has chosen a moment out of bounds. */
export function expiryOf(asked: string | undefined, now: Date): Date | null {
  const at = new Date(asked ?? now.getTime() + expiry.byDefault)
  const ahead = at.getTime() - now.getTime()
  return ahead >= expiry.least && ahead <= expiry.most ? at : null
}

/** The state of the machine. One that waits for the resumption of its connection has the status approved. */
export const stateOf = ({ status, held_for }: ApprovalInState): ApprovalState =>
  status === 'approved' && held_for !== null ? 'held' : status

type ApprovalMove = keyof typeof approvalMachine.moves

/** What an approval becomes by a move; undefined if the move is not possible. */
export function afterMove(move: ApprovalMove, before: ApprovalInState): ApprovalInState | undefined {
  const state = nextState(approvalMachine, move, stateOf(before))
  if (state === undefined) return undefined
  return state === 'held' ? { status: 'approved', held_for: 'resume' } : { status: state, held_for: null }
}

/** How an approval is given while its connection has this status: one that is not live is waited for. */
export const approvingWhile = (connection: ConnectionStatus): 'approve' | 'approve_while_paused' =>
  connection === 'live' ? 'approve' : 'approve_while_paused'

/** Who decides or cancels. */
export interface Decider {
  user_id: string
  /** The API key with which they act; null for a person. */
  key_id: string | null
  access_level: AccessLevel
}

/** Whether somebody decides: the person who is asked, while that lasts on which they share the connection, or a manager of the Room. */
export const mayDecide = (
  { asked_of_user_id, sharing_lasts }: { asked_of_user_id: string; sharing_lasts: boolean },
  { user_id, access_level }: Decider,
): boolean => includes(access_level, 'full_access') || (sharing_lasts && asked_of_user_id === user_id)

/**
 * Whether somebody can cancel: the requester in person or with the API key that asked, or a manager of the Room in person. A key
 * that ends the request of somebody else would decide it.
 */
export const mayCancel = (
  { requested_by, requester_key_id }: { requested_by: string; requester_key_id: string | null },
  { user_id, key_id, access_level }: Decider,
): boolean =>
  key_id === null
    ? includes(access_level, 'full_access') || requested_by === user_id
    : key_id === requester_key_id && requested_by === user_id

/**
 * A summary by a plugin in one line of at most 200 characters, whatever it returned. Characters that turn the direction of
 * text are left out: they would show the person who approves another text.
 */
export const oneLine = (text: string, most = 200): string =>
  Array.from(
    text
      .toWellFormed()
      .replaceAll(/\p{Bidi_Control}/gu, '')
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim(),
  )
    .slice(0, most)
    .join('')
