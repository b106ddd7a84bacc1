// Who is who in Rooms and what a viewer sees of them, as expressions for the statements that look them up. $1 is the Workspace
// in each: an expression that took it from a row might be answered by going through the rows of all Workspaces.

/** For whom Rooms are looked up: what decides which of them can be seen, and how far. */
export interface Viewer {
  workspace_id: string
  user_id: string
  /** Belongs to the Workspace; who does not has what they were invited to. */
  is_member: boolean
  reads_businesses: boolean
}

/** A viewer as the first four values of a statement. */
export const viewerValues = ({ workspace_id, user_id, is_member, reads_businesses }: Viewer) => [
  workspace_id,
  user_id,
  is_member,
  reads_businesses,
]

// By `offset 0` each of these is looked up by its key, for the one row that is judged: without it, the planner might choose to
// read all members of a Workspace, or all published Businesses, once for many rows.

/** Whether a user belongs to the Workspace now. */
export const isMember = (user_id: string) => `exists (
  select from memberships m where m.workspace_id = $1 and m.user_id = ${user_id} and m.status = 'active' offset 0)`

/** Whether a Room has a Business: it is about it, or points at it. */
export const hasBusiness = (room: string, business_id: string) => `(
  ${room}.business_id = ${business_id} or exists (
    select from room_attachments a
    where a.workspace_id = $1 and a.room_id = ${room}.id and a.type = 'business' and a.resource_id = ${business_id}))`

/** A viewer as expressions of SQL. */
export interface ViewerSql {
  user_id: string
  is_member: string
  reads_businesses: string
}

/** The viewer whom the first four values of a statement are. */
export const asked: ViewerSql = {
  user_id: '$2',
  is_member: '$3::boolean',
  reads_businesses: '$4::boolean',
}

/** Whether a Business can be opened: it is published, or the Workspace sees it all the same. */
export const opens = (business: string, { reads_businesses } = asked) => `(
  exists (select from published_businesses published where published.id = ${business} offset 0)
  or ${reads_businesses} and exists (
    select from workspace_businesses linked
    where linked.workspace_id = $1 and linked.business_id = ${business} and linked.removed_at is null
      and linked.sees_unpublished
    offset 0
  ))`

/** The level that general access to a Room gives the viewer, or null; `opened` is whether its Business can be opened. */
export const generalLevel = (
  room: string,
  viewer = asked,
  opened = opens(`${room}.business_id`, viewer),
) => `case
  when not ${viewer.is_member} then null
  when ${room}.general_access = 'workspace' then ${room}.general_access_level
  when ${room}.general_access = 'business' and ${viewer.reads_businesses} and ${opened} then ${room}.general_access_level
end`

/**
 * Whether what somebody has in a Room is still theirs: a guest's by itself, and a member's for as long as the membership
 * lasts that they had when they joined the Room. Coming back into the Workspace does not bring it back.
 */
export const holds = (participant: string) => `(
  ${participant}.as_guest or exists (
    select from memberships held
    where held.workspace_id = $1 and held.id = ${participant}.membership_id and held.status = 'active'
    offset 0))`

/** The level that taking part in a Room gives the viewer, or null. */
export const participantLevel = (room: string, { user_id } = asked) => `(
  select part.access_level from room_participants part
  where part.workspace_id = $1 and part.room_id = ${room}.id and part.user_id = ${user_id}
    and part.status = 'active' and (part.expires_at is null or part.expires_at > statement_timestamp())
    and ${holds('part')})`

/**
 * The viewer's level in a Room, or null: what was given to them, and what is given to all, whichever is more. Of a statement
 * whose first values are those of the viewer, unless it says who else looks; `room` is its name for the row.
 */
export const levelIn = (room: string, viewer = asked, opened?: string) =>
  `greatest(${participantLevel(room, viewer)}, ${generalLevel(room, viewer, opened)})`
