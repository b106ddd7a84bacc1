import type { approvalMachine, ApprovalStatus } from '@wbs/contract/connections/approvals'
import type { Caller } from '../../call/authority/caller.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { requireActivePlace } from '../../rooms/place-access.ts'
import { viewerOf, type CallerInWorkspace, type CallerOfChange } from '../../rooms/room-access.ts'
import { afterMove, type ApprovalInState, type Decider } from './approval.ts'
import { lockApproval, type ApprovalToDecide } from './approval-decision-store.ts'
import { approvalById, type VisibleApprovalRow } from './approval-store.ts'

/** An approval that the caller can see. Throws not_found. */
export async function requireApproval(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  approval_id: string,
): Promise<VisibleApprovalRow> {
  return requireFound(await approvalById(reader, viewerOf(context), approval_id), context.refuse)
}

const lockApprovalOfPath = ({ approval_id }: { approval_id: string }, context: CallerOfChange) =>
  lockApproval(context.tx, viewerOf(context), approval_id, context.standing.seal)

/**
 * Locks an approval for a decision. Throws not_found if the caller cannot see it, forbidden with `detail` unless they `may`
 * decide, state_conflict in an archived Room.
 */
export async function openApproval(
  context: CallerOfChange & { refuse: Refuse<'not_found' | 'forbidden' | 'state_conflict'> },
  approval_id: string,
  may: (approval: ApprovalToDecide, decider: Decider) => boolean,
  detail: string,
): Promise<ApprovalToDecide> {
  const { caller, refuse } = context
  const approval = requireFound(await lockApprovalOfPath({ approval_id }, context), refuse)
  const { access_level } = approval
  if (!may(approval, { user_id: caller.user_id, key_id: keyOf(caller), access_level }))
    throw refuse.forbidden(detail)
  requireActivePlace(approval, refuse)
  return approval
}

/** The API key with which a caller acts; null for a person. */
export const keyOf = (caller: Caller): string | null => (caller.kind === 'key' ? caller.key_id : null)

const details: Readonly<Record<ApprovalStatus, string>> = {
  pending: 'The request is pending.',
  approved: 'The request is approved already.',
  declined: 'The request was declined.',
  canceled: 'The request was canceled.',
  expired: 'The request has expired.',
  executed: 'The action was carried out.',
  failed: 'The action was tried, and failed.',
}

/** What an approval becomes by a decision. Throws state_conflict with the status that it shows if that is not possible now. */
export function requireMoveOf(
  approval: ApprovalInState,
  move: keyof typeof approvalMachine.moves,
  refuse: Pick<Refuse<'state_conflict'>, 'state_conflict'>,
): ApprovalInState {
  const next = afterMove(move, approval)
  if (!next) throw refuse.state_conflict(details[approval.status], { current_status: approval.status })
  return next
}

/** Checks before a replay that the caller can still see the approval of the path. Throws not_found. */
async function checkApprovalVisible(
  { approval_id }: { approval_id: string },
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  await requireApproval(context, context.tx, approval_id)
}

/** What runs before a handler that begins by opening the approval of its path. */
export const beforeDecision = { visible: checkApprovalVisible, prefetch: lockApprovalOfPath }

function requireFound<Row extends VisibleApprovalRow>(
  approval: Row | undefined,
  refuse: Refuse<'not_found'>,
): Row {
  if (!approval) throw refuse.not_found('There is no such approval, or you cannot see it.')
  return approval
}
