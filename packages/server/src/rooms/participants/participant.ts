import type { ParticipantStatus } from '@wbs/contract/rooms/participants'
import { includes, type AccessLevel } from '@wbs/contract/scopes'

/** What the rules below need of a participant or an invitation. */
export interface Participant {
  status: ParticipantStatus
  access_level: AccessLevel
  invited_by: string | null
}

/** How many participants and pending invitations a Room can have. */
export const mostParticipants = 500

/**
 * Whether a viewer of a Room can see all its participants. If only managers can, guests such as rival bidders do not see
 * each other: they see the members of the Workspace, themselves, and the invitations that they sent.
 */
export const seesAllParticipants = (
  viewer: { is_member: boolean },
  room: { participant_visibility: 'everyone' | 'managers'; access_level: AccessLevel },
): boolean =>
  viewer.is_member || room.participant_visibility === 'everyone' || includes(room.access_level, 'full_access')

export const hasNotEnded = ({ status }: Pick<Participant, 'status'>): boolean =>
  status === 'pending' || status === 'active'

/** Whether a change takes full access away from a participant. A level of null means that the participation ends. */
export const removesManager = (before: Participant, level: AccessLevel | null): boolean =>
  before.status === 'active' && before.access_level === 'full_access' && level !== 'full_access'

/** Whether a user with this level can end a participation or invitation. Whoever sent a pending invitation can revoke it. */
export const mayEnd = (level: AccessLevel, user_id: string, participant: Participant): boolean =>
  includes(level, 'full_access') || (participant.status === 'pending' && participant.invited_by === user_id)
