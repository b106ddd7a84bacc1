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
) =>
  ({
    type,
    subject: { type: 'participant', id: participant_id, name },
    about: { user_id, email, name },
    room_id,
    data: { access_level },
  }) as EventDraft<Type>

/** The participant as the resource of a receipt. */
export const participantResource = ({ participant_id }: ParticipantRow) => ({
  type: 'participant' as const,
  id: participant_id,
})

/** The job that records the expiry of a participation or an invitation, if it has an end date. */
export function expiryJobs({ workspace_id, room_id, participant_id, ...row }: ParticipantRow): JobDraft[] {
  const ends = [row.expires_at, row.status === 'pending' ? row.invited_until : null].filter(
    end => end !== null,
  )
  // ISO 8601 timestamps in UTC sort by time.
  const [due] = ends.sort()
  return due ? [{ kind: 'expire_participant', data: { workspace_id, room_id, participant_id }, due }] : []
}

/** The job that records that what a former participant shared with the Room has ended. An invitation shares nothing. */
export const endConnectionsJobs = ({ workspace_id, room_id, user_id }: ParticipantRow): JobDraft[] =>
  user_id === null ? [] : [{ kind: 'end_connections', data: { workspace_id, user_id, room_id } }]

/** The job that mails an invitation with its present token. */
export const invitationMailJob = (row: ParticipantRow): JobDraft => ({
  kind: 'mail_room_invitation',
  data: {
    workspace_id: row.workspace_id,
    room_id: row.room_id,
    participant_id: row.participant_id,
    token_number: row.token_number,
  },
})
