// SQL expressions for Rooms with participant_visibility managers, in which guests do not see each other. The rules are functions
// of the database (migrations/0036_who_sees_rooms.sql).
import { isMemberSql } from './room-visibility-store.ts'

/** Whether a Room masks guests: a guest with this level in it does not see other guests. */
export const masksGuestsSql = (room: string, access_level: string) =>
  `masks_guests(${room}.participant_visibility, ${access_level})`

/** Whether a user is null, the viewer, or a member of the Workspace: whom the viewer can see in a masked Room. */
export const isKnownPersonSql = (user_id: string, viewer_id: string) =>
  `is_known_person(${viewer_id}, ${user_id}, ${isMemberSql(user_id)})`
