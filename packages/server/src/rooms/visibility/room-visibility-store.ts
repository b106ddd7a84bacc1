// SQL expressions for who belongs in a Room and what a viewer can see of it, to be used inside statements. In each of them $1
// is the Workspace: an expression that took the Workspace from a row could be answered by reading the rows of all Workspaces.

/** The person for whom Rooms are looked up, with what decides which Rooms they can see and at which level. */
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

/** A viewer as the first four values of a statement. */
export const viewerValues = ({ workspace_id, user_id, is_member, reads_businesses }: Viewer) => [
  workspace_id,
  user_id,
  is_member,
  reads_businesses,
]

// `offset 0` makes PostgreSQL evaluate each of these by its key, for the one row in question: without it, the planner may
// choose to read all members of a Workspace, or all published Businesses, once for many rows.

/** Whether a user is a member of the Workspace now. */
export const isMemberSql = (user_id: string) => `exists (
  select from memberships m where m.workspace_id = $1 and m.user_id = ${user_id} and m.status = 'active' offset 0)`

/** Whether a Room is about a Business or has it as an attachment, `a`, that meets a condition. */
export const hasBusinessSql = (room: string, business_id: string, condition = 'true') => `(
  ${room}.business_id = ${business_id} or exists (
    select from room_attachments a
    where a.workspace_id = $1 and a.room_id = ${room}.id and a.type = 'business' and a.resource_id = ${business_id} and ${condition}))`

/** A viewer as SQL expressions. */
export interface ViewerSql {
  user_id: string
  is_member: string
  reads_businesses: string
}

/** The viewer of a statement whose first four values are `viewerValues`. */
export const viewerParameters: ViewerSql = {
  user_id: '$2',
  is_member: '$3::boolean',
  reads_businesses: '$4::boolean',
}

/** Whether the viewer can read a Business: it is published, or their Workspace sees it unpublished. */
export const canReadBusinessSql = (business: string, { reads_businesses } = viewerParameters) => `(
  exists (select from published_businesses published where published.id = ${business} offset 0)
  or ${reads_businesses} and exists (
    select from workspace_businesses linked
    where linked.workspace_id = $1 and linked.business_id = ${business} and linked.removed_at is null
      and linked.sees_unpublished
    offset 0
  ))`

/** The level that general access to a Room gives the viewer, or null. `canReadBusiness` is about the Business of the Room. */
export const generalLevelSql = (
  room: string,
  viewer = viewerParameters,
  canReadBusiness = canReadBusinessSql(`${room}.business_id`, viewer),
) => `case
  when not ${viewer.is_member} then null
  when ${room}.general_access = 'workspace' then ${room}.general_access_level
  when ${room}.general_access = 'business' and ${viewer.reads_businesses} and ${canReadBusiness} then ${room}.general_access_level
end`

/** Whether a participation is active and its end date has not passed. */
export const isActiveSql = (participant: string) => `${participant}.status = 'active'
    and (${participant}.expires_at is null or ${participant}.expires_at > statement_timestamp())`

/**
 * Whether the membership that a participation belongs to is still active; always true for a guest. A participation ends with
 * the membership that the member had when they joined the Room, and a new membership does not bring it back.
 */
export const membershipLastsSql = (participant: string) => `(
  ${participant}.as_guest or exists (
    select from memberships held
    where held.workspace_id = $1 and held.id = ${participant}.membership_id and held.status = 'active'
    offset 0))`

/** The level that the viewer has as a participant of a Room, or null. */
export const participantLevelSql = (room: string, { user_id } = viewerParameters) => `(
  select part.access_level from room_participants part
  where part.workspace_id = $1 and part.room_id = ${room}.id and part.user_id = ${user_id}
    and ${isActiveSql('part')} and ${membershipLastsSql('part')})`

/**
 * The level of the viewer in a Room, or null: the higher one of the participant's level and of general access. `room` is the
 * name of the row in the statement.
 */
export const levelInSql = (room: string, viewer = viewerParameters, canReadBusiness?: string) =>
  `greatest(${participantLevelSql(room, viewer)}, ${generalLevelSql(room, viewer, canReadBusiness)})`
