import { handleAcceptInvitation } from './accept-invitation.ts'
import { handleDeclineInvitation } from './decline-invitation.ts'
import { handleInspectInvitation } from './inspect-invitation.ts'

/** The handlers of this slice. Add a line for each new handler. */
export const invitationHandlers = [handleAcceptInvitation, handleDeclineInvitation, handleInspectInvitation]
