import type { SignedInCaller } from '../call/caller.ts'
import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import { digestOfToken, kindOfToken } from '../identity/invitation-token.ts'
import {
  invitationOfToken,
  noSuchToken,
  requireAddressee,
  requireUnanswered,
  type FoundInvitation as FoundTeamInvitation,
} from '../workspaces/invitation-access.ts'
import { lockParticipant, type ParticipantRow } from './participant-store.ts'
import { requireActive } from './room-access.ts'
import {
  lockRoomSender,
  roomInvitationByToken,
  roomInvitationNow,
  type RoomInvitation,
} from './room-invitation-store.ts'
import { lockRoomState } from './room-lock-store.ts'

type FoundInvitation = RoomInvitation & { digest: Buffer }

/** The invitation to a Room that has a token, whatever has become of it. */
async function roomInvitationOfToken(reader: Reader, token: string): Promise<FoundInvitation | undefined> {
  const digest = digestOfToken(token, 'room')
  const found = digest && (await roomInvitationByToken(reader, digest))
  return found ? { ...found, digest } : undefined
}

/** The same. Throws not_found. */
export async function requireRoomToken(
  reader: Reader,
  token: string,
  refuse: Refuse<'not_found'>,
): Promise<FoundInvitation> {
  const found = await roomInvitationOfToken(reader, token)
  if (!found) throw refuse.not_found(noSuchToken)
  return found
}

/** The same for whom it is meant: whose issuer says that the invited address is theirs. Throws not_found, forbidden. */
export async function requireRoomInvited(
  reader: Reader,
  caller: SignedInCaller,
  token: string,
  refuse: Refuse<'not_found' | 'forbidden'>,
): Promise<FoundInvitation> {
  const found = await requireRoomToken(reader, token, refuse)
  requireAddressee(caller, found.email_key, refuse)
  return found
}

/** What an answer to an invitation of either kind begins with: the look for its token. */
export const tokenAhead = (
  { token }: { token: string },
  { tx }: { tx: Transaction },
): Promise<FoundInvitation | FoundTeamInvitation | undefined> =>
  kindOfToken(token) === 'room' ? roomInvitationOfToken(tx, token) : invitationOfToken(tx, token)

/**
 * Moves the transaction into the Workspace of an invitation to a Room that its invited person may answer now, and locks
 * the Room. Throws not_found where it was declined or revoked, or its sender could not send it now; gone where it has
 * expired; and state_conflict where it was accepted, or the Workspace or the Room takes no changes. All is sent at once:
 * what is sent next looks behind the locks.
 */
export async function openRoomAnswer(
  tx: Transaction,
  caller: SignedInCaller,
  { workspace_id, room_id, participant_id, digest }: FoundInvitation,
  refuse: Refuse<'not_found' | 'gone' | 'state_conflict'>,
): Promise<ParticipantRow> {
  tx.enter({ workspace_id, user_id: caller.user_id })
  const onlooker = { user_id: caller.user_id, sees_all: true }
  const [, room, participant, now] = await Promise.all([
    lockRoomSender(tx, workspace_id, digest),
    lockRoomState(tx, workspace_id, room_id),
    lockParticipant(tx, { workspace_id, room_id }, onlooker, participant_id),
    roomInvitationNow(tx, workspace_id, digest),
  ])
  if (!room || !participant || !now) throw refuse.not_found(noSuchToken)
  requireUnanswered(now.status, refuse)
  if (room.workspace_status !== 'active')
    throw refuse.state_conflict(`The Workspace is ${room.workspace_status}, and nobody can join its Rooms.`, {
      current_status: room.workspace_status,
    })
  requireActive(room, refuse)
  return participant
}
