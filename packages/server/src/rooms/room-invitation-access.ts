import type { SignedInCaller } from '../call/caller.ts'
import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import { digestOfToken } from '../identity/invitation-token.ts'
import { noSuchToken, requireAddressee, requireUnanswered } from '../workspaces/invitation-access.ts'
import { lockSender } from '../workspaces/sender-store.ts'
import { participantById, type ParticipantRow } from './participant-store.ts'
import { requireActive } from './room-access.ts'
import { roomInvitationByToken, roomInvitationNow, type RoomInvitation } from './room-invitation-store.ts'
import { lockRoomState } from './room-lock-store.ts'

/** The invitation to a Room that has a token, whatever has become of it. Throws not_found. */
export async function requireRoomToken(
  reader: Reader,
  token: string,
  refuse: Refuse<'not_found'>,
): Promise<RoomInvitation & { digest: Buffer }> {
  const digest = digestOfToken(token, 'room')
  const found = digest && (await roomInvitationByToken(reader, digest))
  if (!found) throw refuse.not_found(noSuchToken)
  return { ...found, digest }
}

/** The same for whom it is meant: whose issuer says that the invited address is theirs. Throws not_found, forbidden. */
export async function requireRoomInvited(
  reader: Reader,
  caller: SignedInCaller,
  token: string,
  refuse: Refuse<'not_found' | 'forbidden'>,
): Promise<RoomInvitation & { digest: Buffer }> {
  const found = await requireRoomToken(reader, token, refuse)
  requireAddressee(caller, found.email_key, refuse)
  return found
}

/**
 * Moves the transaction into the Workspace of an invitation to a Room that its invited person may answer now, and locks
 * the Room. Throws not_found where it was declined or revoked, or its sender could not send it now; forbidden; gone where
 * it has expired; and state_conflict where it was accepted, or the Workspace or the Room takes no changes.
 */
export async function openRoomAnswer(
  tx: Transaction,
  caller: SignedInCaller,
  token: string,
  refuse: Refuse<'not_found' | 'forbidden' | 'gone' | 'state_conflict'>,
): Promise<ParticipantRow> {
  const { workspace_id, room_id, digest } = await requireRoomInvited(tx, caller, token, refuse)
  tx.enter({ workspace_id, user_id: caller.user_id })
  const sent = await roomInvitationNow(tx, workspace_id, digest)
  if (sent?.invited_by) await lockSender(tx, workspace_id, { ...sent, invited_by: sent.invited_by })
  const room = await lockRoomState(tx, workspace_id, room_id)
  const now = await roomInvitationNow(tx, workspace_id, digest)
  if (!room || !now) throw refuse.not_found(noSuchToken)
  requireUnanswered(now.status, refuse)
  if (room.workspace_status !== 'active')
    throw refuse.state_conflict(`The Workspace is ${room.workspace_status}, and nobody can join its Rooms.`, {
      current_status: room.workspace_status,
    })
  requireActive(room, refuse)
  const onlooker = { user_id: caller.user_id, sees_all: true }
  return (await participantById(tx, now, onlooker, now.participant_id)) as ParticipantRow
}
