import type { ApprovalStatus } from '@wbs/contract/connections/approvals'
import type { ConnectionStatus } from '@wbs/contract/connections/connections'

/** What decides whether an approved action is sent, read under the locks of the approval, its Room and its people. */
export interface ExecutionState {
  /** The status that counts now. */
  status: ApprovalStatus
  saved_status: ApprovalStatus
  held_for: 'resume' | null
  /** How many seconds ago it was sent; null if it was not. */
  sent_seconds: number | null
  connection_status: ConnectionStatus
  is_allowed: boolean
  requester_may: boolean
  decider_may: boolean
  /** Whether the Room and its parent are active. */
  room_is_active: boolean
  workspace_is_active: boolean
}

/** Why an approved action is canceled instead of sent. */
export type CancelReason =
  | 'workspace_not_active'
  | 'room_archived'
  | 'operation_not_allowed'
  | 'requester_lost_authority'
  | 'decider_lost_authority'

/** What is to be done about an approval. */
export type Verdict =
  /** There is nothing to do: it has ended, or waits for somebody. */
  | { do: 'nothing' }
  /** It has expired, or its connection has ended; that is to be saved. */
  | { do: 'end' }
  /** It was sent by somebody who may still save the result. */
  | { do: 'wait' }
  /** It was sent, and whoever sent it is gone. */
  | { do: 'give_up' }
  | { do: 'hold' }
  | { do: 'cancel'; reason: CancelReason }
  | { do: 'send' }

/** What is to be done about an approval now. `lostAfter`: after how many seconds a result is not expected any more. */
export function verdictOn(state: ExecutionState, lostAfter: number): Verdict {
  if (state.status !== state.saved_status) return { do: 'end' }
  if (state.status !== 'approved' || state.held_for !== null) return { do: 'nothing' }
  if (state.sent_seconds !== null) return { do: state.sent_seconds < lostAfter ? 'wait' : 'give_up' }
  const reason = reasonToCancel(state)
  if (reason) return { do: 'cancel', reason }
  return { do: state.connection_status === 'live' ? 'send' : 'hold' }
}

function reasonToCancel(state: ExecutionState): CancelReason | null {
  if (!state.workspace_is_active) return 'workspace_not_active'
  if (!state.room_is_active) return 'room_archived'
  if (!state.is_allowed) return 'operation_not_allowed'
  if (!state.requester_may) return 'requester_lost_authority'
  return state.decider_may ? null : 'decider_lost_authority'
}
