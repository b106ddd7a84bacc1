// SQL expressions for Rooms with participant_visibility managers, in which guests do not see each other. $1 is the Workspace.
import { isMemberSql } from './room-visibility-store.ts'

/** Whether a Room masks guests: a guest with this level in it does not see other guests. */
export const masksGuestsSql = (room: string, access_level: string) =>
  `(${room}.participant_visibility = 'managers' and ${access_level} < 'full_access')`

/** Whether a user is null, the viewer, or a member of the Workspace: whom the viewer can see in a masked Room. */
export const isKnownPersonSql = (user_id: string, viewer_id: string) => `(
  ${user_id} is null or ${user_id} = ${viewer_id} or ${isMemberSql(user_id)})`
