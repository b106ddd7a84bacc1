import type { EventDraft, EventType } from '@wbs/contract/events'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { ParticipantRow } from './participant-store.ts'

export const presentParticipant = (row: ParticipantRow) => ({
  participant_id: row.participant_id,
  type: row.user_id === null ? ('invitation' as const) : ('user' as const),
  user_id: row.user_id,
  email: row.email,
  name: row.name,
  access_level: row.access_level,
  status: row.status,
  created_at: row.created_at,
  updated_at: row.updated_at,
  expires_at: row.expires_at,
  invited_until: row.status === 'pending' ? row.invited_until : null,
  can_download: row.can_download,
})

type ParticipantEvent = Extract<EventType, `participant.${string}`>

export const participantEvent = <Type extends ParticipantEvent>(
  type: Type,
  { participant_id, room_id, user_id, email, name, access_level }: ParticipantRow,
): EventDraft<Type> => ({
  type,
  subject: { type: 'participant', id: participant_id, name },
  about: { user_id, email, name },
  room_id,
  data: { access_level },
})

/** What a change of a participant is about, as the receipt says it. */
export const participantResource = ({ participant_id }: ParticipantRow) => ({
  type: 'participant' as const,
  id: participant_id,
})

/** That the end of somebody's time be written down when it comes, if it comes by itself. */
export function expiryOf({ workspace_id, room_id, participant_id, ...row }: ParticipantRow): JobDraft[] {
  const ends = [row.expires_at, row.status === 'pending' ? row.invited_until : null].filter(
    end => end !== null,
  )
  // As they are written, the earlier comes first.
  const [due] = ends.sort()
  return due ? [{ kind: 'expire_participant', data: { workspace_id, room_id, participant_id }, due }] : []
}

/** That an invitation be mailed, with the token that it has now. */
export const invitationMail = (row: ParticipantRow): JobDraft => ({
  kind: 'mail_room_invitation',
  data: {
    workspace_id: row.workspace_id,
    room_id: row.room_id,
    participant_id: row.participant_id,
    token_number: row.token_number,
  },
})
