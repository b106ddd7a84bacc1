import type { ParticipantStatus } from '@wbs/contract/rooms/participants'
import { includes, type AccessLevel } from '@wbs/contract/scopes'

/** Somebody in a Room, or invited to it, as far as the rules go. */
export interface Participant {
  status: ParticipantStatus
  access_level: AccessLevel
  invited_by: string | null
}

/** How many may be in a Room or invited to it at a time. */
export const mostParticipants = 500

/** Whether it has not ended yet. */
export const isLive = ({ status }: Pick<Participant, 'status'>): boolean =>
  status === 'pending' || status === 'active'

/** Whether full access is taken from somebody: nobody may be the last to lose it. Null ends what they have. */
export const endsManagement = (before: Participant, level: AccessLevel | null): boolean =>
  before.status === 'active' && before.access_level === 'full_access' && level !== 'full_access'

/** Whether somebody with this level may end it: whoever invited somebody may change their mind. */
export const mayEnd = (level: AccessLevel, user_id: string, participant: Participant): boolean =>
  includes(level, 'full_access') || (participant.status === 'pending' && participant.invited_by === user_id)
