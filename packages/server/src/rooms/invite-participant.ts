import type { InputOf } from '@wbs/contract/operation'
import { inviteParticipant } from '@wbs/contract/participants'
import { implement, type MutationContext } from '../call/implement.ts'
import { emailKey, spellingsOf } from '../identity/email-address.ts'
import type { InvitationTokens } from '../identity/invitation-token.ts'
import { senderOf } from '../workspaces/sender-store.ts'
import { mostParticipants } from './participant.ts'
import { onlookerOf, requireToGive } from './participant-access.ts'
import {
  insertParticipant,
  renewParticipant,
  saveInvitation,
  type Invitation,
} from './participant-change-store.ts'
import { countParticipants, participantOfAddress, type ParticipantRow } from './participant-store.ts'
import {
  expiryOf,
  invitationMail,
  participantEvent,
  participantResource,
  presentParticipant,
} from './participant-view.ts'
import { ofNamedRoom, openRoom, requireActive } from './room-access.ts'
import type { OpenedRoom } from './room-store.ts'

type Context = MutationContext<typeof inviteParticipant>

export const handleInviteParticipant = (tokens: InvitationTokens) =>
  implement(
    inviteParticipant,
    async (input, context) => {
      const { refuse, tx } = context
      const { email_key, ...invitation } = requireInvitation(input, context)
      const room = await openToInvite(input.room_id, context)
      requireToGive(room, invitation.access_level, refuse)
      requireActive(room, refuse)
      const earlier = await participantOfAddress(tx, room, email_key, spellingsOf(email_key))
      if (earlier?.status === 'active')
        throw refuse.already_exists('This address is that of an active participant.')
      if (earlier) requireToGive(room, earlier.access_level, refuse)
      const participant = earlier
        ? await inviteAgain(tokens, room, earlier, invitation, context)
        : await invite(tokens, room, { ...invitation, email_key }, context)
      return {
        result: { participant: presentParticipant(participant) },
        found: earlier !== undefined,
        resource: participantResource(participant),
        changed: earlier ? ['access_level', 'can_download', 'expires_at', 'invited_until'] : [],
        events: [participantEvent('participant.invited', participant)],
        jobs: [invitationMail(participant), ...expiryOf(participant)],
      }
    },
    ofNamedRoom,
  )

/** What is asked for, in full. Throws validation_error. */
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
 * Opens a Room for the caller to invite to. Whoever does not see who else is there would learn it of an address that is
 * there already, so they do not invite. Throws not_found, forbidden.
 */
async function openToInvite(room_id: string, context: Context): Promise<OpenedRoom<'edit'>> {
  const room = await openRoom(context, room_id, 'edit')
  if (!onlookerOf(context, room).sees_all)
    throw context.refuse.forbidden(
      'Where people from outside do not see each other, it takes full access for one of them to invite.',
    )
  return room
}

async function invite(
  tokens: InvitationTokens,
  room: OpenedRoom<'edit'>,
  invitation: Invitation & { email_key: string },
  { caller, tx, now, refuse }: Context,
): Promise<ParticipantRow> {
  if ((await countParticipants(tx, room)) >= mostParticipants)
    throw refuse.limit_reached(`A Room has at most ${mostParticipants} participants, invitations included.`)
  const digestOf = (participant_id: string) => tokens.digestOf(participant_id, 1)
  return insertParticipant(tx, room, { ...invitation, ...senderOf(caller), digestOf }, now)
}

/** An address has one pending invitation at most: whoever invites it again sends that one again, as it should be now. */
async function inviteAgain(
  tokens: InvitationTokens,
  room: OpenedRoom<'edit'>,
  earlier: ParticipantRow,
  invitation: Invitation,
  { caller, tx, now }: Context,
): Promise<ParticipantRow> {
  const token_digest = tokens.digestOf(earlier.participant_id, earlier.token_number + 1)
  await saveInvitation(tx, room, earlier, invitation, now)
  return renewParticipant(tx, room, earlier, { ...senderOf(caller), token_digest }, now)
}
