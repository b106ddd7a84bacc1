import { handleAcceptInvitation } from './accept-invitation.ts'
import { handleDeclineInvitation } from './decline-invitation.ts'
import { handleInspectInvitation } from './inspect-invitation.ts'

/** The handlers of this slice. A new one gets its line here. */
export const invitationHandlers = [handleAcceptInvitation, handleDeclineInvitation, handleInspectInvitation]
