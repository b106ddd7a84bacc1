// SQL expressions for who belongs in a Room and what a viewer can see of it. The rules are functions of the database
// (migrations/0036_who_sees_rooms.sql), which the planner replaces by their bodies; here they are called with the parameters of
// `asViewer` and the columns of a row.

/** A person who looks for Rooms, with what decides which Rooms they can see and at which level. */
export interface Viewer {
  workspace_id: string
  user_id: string
  /** Is a member of the Workspace. Anybody else has only what they were invited to. */
  is_member: boolean
  reads_businesses: boolean
  /** Whether they see the names of attached Lists. It does not decide which Rooms they see. */
  reads_lists: boolean
}

/** The viewer's parameters of a statement: `:workspace_id`, `:viewer_id`, `:is_member` and `:reads_businesses`. */
export const asViewer = ({ workspace_id, user_id, is_member, reads_businesses }: Viewer) => ({
  workspace_id,
  viewer_id: user_id,
  is_member,
  reads_businesses,
})

/** Whether a user is a member of the Workspace now. */
export const isMemberSql = (user_id: string) =>
  `exists (select from membership_of(:workspace_id, ${user_id}))`

/** Whether a Room is about a Business or has it as an attachment, `a`, that meets a condition. */
export const hasBusinessSql = (room: string, business_id: string, condition = 'true') => `(
  ${room}.business_id = ${business_id} or exists (
    select from room_attachments a
    where a.workspace_id = :workspace_id and a.room_id = ${room}.id and a.type = 'business' and a.resource_id = ${business_id} and ${condition}))`

/** A viewer as SQL expressions. The planner replaces no call with a sub-select among its arguments: see `levelInSql`. */
export interface ViewerSql {
  user_id: string
  is_member: string
  reads_businesses: string
}

/** The viewer of a statement with the parameters of `asViewer`. */
export const viewerParameters: ViewerSql = {
  user_id: ':viewer_id',
  is_member: ':is_member::boolean',
  reads_businesses: ':reads_businesses::boolean',
}

/** Whether the viewer can read a Business. */
export const canReadBusinessSql = (business: string, { reads_businesses } = viewerParameters) =>
  `exists (select from readable_business(:workspace_id, ${reads_businesses}, ${business}))`

/** The level that general access to a Room gives the viewer, or null. `canReadBusiness` is about the Business of the Room. */
export const generalLevelSql = (
  room: string,
  viewer = viewerParameters,
  canReadBusiness = canReadBusinessSql(`${room}.business_id`, viewer),
) =>
  `general_level(${viewer.is_member}, ${viewer.reads_businesses}, ${room}.general_access, ${room}.general_access_level, ${canReadBusiness})`

/** Whether a participation is active and its end date has not passed. */
export const isActiveSql = (participant: string) =>
  `is_participation_active(${participant}.status, ${participant}.expires_at)`

/** Whether the membership that a participation belongs to is still active; always true for a guest. */
export const membershipLastsSql = (participant: string) =>
  `membership_lasts(${participant}.as_guest, exists (select from active_membership(:workspace_id, ${participant}.membership_id)))`

/** The level that the viewer has as a participant of a Room, or null. */
export const participantLevelSql = (room: string, { user_id } = viewerParameters) =>
  `(select taking_part.access_level from participation_in_room(:workspace_id, ${room}.id, ${user_id}) taking_part)`

/**
 * The level of the viewer in a Room, or null, as a row for a `from`: `cross join lateral ${levelRowSql('r')} as v (access_level)`.
 * `canReadBusiness` is a column that says whether the viewer can read the Business of the Room.
 */
export const levelRowSql = (room: string, viewer = viewerParameters, canReadBusiness?: string) =>
  `level_in_room(:workspace_id, ${viewer.user_id}, ${viewer.is_member}, ${viewer.reads_businesses},
     ${room}.id, ${room}.general_access, ${room}.general_access_level, ${canReadBusiness ?? `${room}.business_id`})`

/** The same as an expression. */
export const levelInSql = (room: string, viewer = viewerParameters, canReadBusiness?: string) => {
  if (viewer === viewerParameters || canReadBusiness !== undefined)
    return `(select seen.access_level from ${levelRowSql(room, viewer, canReadBusiness)} as seen (access_level))`
  const { user_id, is_member, reads_businesses } = viewer
  return `(
    select seen.access_level
    from (select ${user_id} as user_id, ${is_member} as is_member, ${reads_businesses} as reads_businesses offset 0) who
    cross join lateral ${levelRowSql(room, columnsOf('who'))} as seen (access_level))`
}

const columnsOf = (row: string): ViewerSql => ({
  user_id: `${row}.user_id`,
  is_member: `${row}.is_member`,
  reads_businesses: `${row}.reads_businesses`,
})
