import type { InputOf } from '@wbs/contract/operation'
import { inviteParticipant } from '@wbs/contract/rooms/invitations'
import { implement, type MutationContext } from '../../call/implement.ts'
import { databaseTime } from '../../database/database-time.ts'
import { emailKey, spellingsOf } from '../../identity/email-address.ts'
import { invitationExpiry, type InvitationTokens } from '../../identity/invitation-token.ts'
import { senderOf } from '../../workspaces/team-invitations/invitation-sender-store.ts'
import { mostParticipants, seesAllParticipants } from '../participants/participant.ts'
import { requireGrantableLevel } from '../participants/participant-access.ts'
import {
  countParticipants,
  lockParticipantByEmail,
  type ParticipantRow,
} from '../participants/participant-store.ts'
import {
  expiryJobs,
  invitationMailJob,
  participantEvent,
  participantResource,
  presentParticipant,
} from '../participants/participant-view.ts'
import { beforeRoomChange, openRoom, requireActive, viewerOf } from '../room-access.ts'
import {
  insertParticipant,
  renewParticipant,
  saveInvitation,
  type Invitation,
  type SendDetails,
} from './room-invitation-change-store.ts'
import type { OpenedRoom } from '../room-store.ts'

type Context = MutationContext<typeof inviteParticipant>
type NewInvitation = Invitation & SendDetails & { email_key: string }

export const handleInviteParticipant = (tokens: InvitationTokens) =>
  implement(
    inviteParticipant,
    async function inviteParticipant(input, context) {
      const { caller, refuse, tx } = context
      const { email_key, ...invitation } = requireInvitation(input, context)
      const room = await openToInvite(input.room_id, context)
      requireGrantableLevel(room, invitation.access_level, refuse)
      requireActive(room, refuse)
      const [earlier, count, at] = await Promise.all([
        lockParticipantByEmail(tx, room, email_key, spellingsOf(email_key)),
        countParticipants(tx, room),
        databaseTime(tx),
      ])
      if (earlier?.status === 'active')
        throw refuse.already_exists('This address belongs to an active participant.')
      if (earlier) requireGrantableLevel(room, earlier.access_level, refuse)
      else if (count >= mostParticipants)
        throw refuse.limit_reached(
          `A Room can have at most ${mostParticipants} participants, including invitations.`,
        )
      const details = { ...invitation, ...senderOf(caller), email_key, invited_until: invitationExpiry(at) }
      const participant = earlier
        ? inviteAgain(tokens, room, earlier, details, context)
        : invite(tokens, room, details, context)
      return {
        result: { participant: presentParticipant(participant) },
        found: earlier !== undefined,
        resource: participantResource(participant),
        changed: earlier ? ['access_level', 'can_download', 'expires_at', 'invited_until'] : [],
        events: [participantEvent('participant.invited', participant)],
        jobs: [invitationMailJob(participant), ...expiryJobs(participant)],
      }
    },
    beforeRoomChange,
  )

/** The invitation of the input, with defaults. Throws validation_error. */
function requireInvitation(
  input: InputOf<typeof inviteParticipant>,
  { now, refuse }: Context,
): Invitation & { email_key: string } {
  const { email, access_level, expires_at = null, can_download = true, message = null } = input
  const email_key = emailKey(email)
  const wrong = (pointer: string, code: 'format' | 'out_of_range', detail: string) =>
    refuse.validation_error(detail, { errors: [{ in: 'body', pointer, code, detail }] })
  if (email_key === null) throw wrong('/email', 'format', 'email must end with a domain name.')
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime())
    throw wrong('/expires_at', 'out_of_range', 'expires_at must be in the future.')
  return { email, email_key, access_level, expires_at, can_download, message }
}

/**
 * Opens a Room for an invitation. A caller who cannot see all participants cannot invite: the answer would reveal whether an
 * address is already there. Throws not_found, forbidden.
 */
async function openToInvite(room_id: string, context: Context): Promise<OpenedRoom<'edit'>> {
  const room = await openRoom(context, room_id, 'edit')
  if (!seesAllParticipants(viewerOf(context), room))
    throw context.refuse.forbidden(
      'In this Room, people from outside the Workspace need full access to invite.',
    )
  return room
}

function invite(
  tokens: InvitationTokens,
  room: OpenedRoom<'edit'>,
  details: NewInvitation,
  { tx, now }: Context,
): ParticipantRow {
  const digestOf = (participant_id: string) => tokens.digestOf(participant_id, 1)
  return insertParticipant(tx, room, { ...details, digestOf }, now)
}

/** An address has at most one pending invitation: inviting it again updates that one and sends it again. */
function inviteAgain(
  tokens: InvitationTokens,
  room: OpenedRoom<'edit'>,
  earlier: ParticipantRow,
  details: NewInvitation,
  { tx, now }: Context,
): ParticipantRow {
  const token_digest = tokens.digestOf(earlier.participant_id, earlier.token_number + 1)
  const saved = saveInvitation(tx, room, earlier, details, now)
  return renewParticipant(tx, room, saved, { ...details, token_digest }, now)
}
