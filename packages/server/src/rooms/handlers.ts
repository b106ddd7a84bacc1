import type { InvitationTokens } from '../identity/invitation-token.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import { handleGetRoomAccess } from './access/get-room-access.ts'
import { handleArchiveRoom } from './archive-room.ts'
import { handleAttachRoomResource } from './attachments/attach-room-resource.ts'
import { handleDetachRoomResource } from './attachments/detach-room-resource.ts'
import { handleCreateRoom } from './create-room.ts'
import { handleGetRoom } from './get-room.ts'
import { handleInviteParticipant } from './invitations/invite-participant.ts'
import { handleResendInvitation } from './invitations/resend-invitation.ts'
import { mailRoomInvitation } from './invitations/mail-room-invitation.ts'
import { handleListRooms } from './list-rooms.ts'
import { notifyRoomsOfBusinessUpdate } from './businesses/notify-rooms-of-business-update.ts'
import { handleBreakGlass } from './participants/break-glass.ts'
import { endParticipation } from './participants/end-participation.ts'
import { expireParticipant } from './participants/expire-participant.ts'
import { handleGetParticipant } from './participants/get-participant.ts'
import { handleLeaveRoom } from './participants/leave-room.ts'
import { handleListParticipants } from './participants/list-participants.ts'
import { handleRevokeParticipant } from './participants/revoke-participant.ts'
import { handleUpdateParticipant } from './participants/update-participant.ts'
import { mailDigest } from './notices/mail-digest.ts'
import { handleRestoreRoom } from './restore-room.ts'
import { handleUpdateRoom } from './update-room.ts'

/** What the handlers of Rooms need. */
export interface RoomParts {
  /** Creates the tokens of invitations to Rooms. */
  tokens: InvitationTokens
}

/** The handlers of this slice. Add a line for each new handler. */
export const roomHandlers = ({ tokens }: RoomParts) => [
  handleArchiveRoom,
  handleCreateRoom,
  handleGetRoom,
  handleListRooms,
  handleRestoreRoom,
  handleUpdateRoom,
  handleGetRoomAccess,
  handleAttachRoomResource,
  handleDetachRoomResource,
  handleInviteParticipant(tokens),
  handleResendInvitation(tokens),
  handleBreakGlass,
  handleGetParticipant,
  handleLeaveRoom,
  handleListParticipants,
  handleRevokeParticipant,
  handleUpdateParticipant,
]

type RoomJobParts = Parameters<typeof mailRoomInvitation>[0] &
  Parameters<typeof notifyRoomsOfBusinessUpdate>[0] &
  Parameters<typeof expireParticipant>[0] &
  Parameters<typeof mailDigest>[0]

/** The job handlers of this slice. */
export const roomJobs = (parts: RoomJobParts) =>
  ({
    mail_room_invitation: mailRoomInvitation(parts),
    tell_rooms_of_business: notifyRoomsOfBusinessUpdate(parts),
    end_participation: endParticipation(parts),
    expire_participant: expireParticipant(parts),
    mail_digest: mailDigest(parts),
  }) satisfies Partial<JobHandlers>
