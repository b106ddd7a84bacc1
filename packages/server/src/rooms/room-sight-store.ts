// Who is who in Rooms and what a viewer sees of them, as expressions for the statements that look them up.

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

/** Whether a user belongs to a Workspace now. */
export const isMember = (workspace_id: string, user_id: string) => `exists (
  select from memberships m where m.workspace_id = ${workspace_id} and m.user_id = ${user_id} and m.status = 'active')`

/** Whether a Room has a Business: it is about it, or points at it. */
export const hasBusiness = (room: string, business_id: string) => `(
  ${room}.business_id = ${business_id} or exists (
    select from room_attachments a
    where a.workspace_id = ${room}.workspace_id and a.room_id = ${room}.id and a.type = 'business' and a.resource_id = ${business_id}))`

/** $1 to $4 are the viewer. Whether a Business can be opened: it is published, or the Workspace sees it all the same. */
export const opens = (business: string) => `(
  exists (select from published_businesses published where published.id = ${business})
  or $4::boolean and exists (
    select from workspace_businesses linked
    where linked.workspace_id = $1 and linked.business_id = ${business} and linked.removed_at is null and linked.sees_unpublished
  ))`

/** The level that general access to a Room gives the viewer, or null. */
export const generalLevel = (room: string) => `case
  when not $3::boolean then null
  when ${room}.general_access = 'workspace' then ${room}.general_access_level
  when ${room}.general_access = 'business' and $4::boolean and ${opens(`${room}.business_id`)} then ${room}.general_access_level
end`

/** The level that taking part in a Room gives the viewer, or null. */
export const participantLevel = (room: string) => `(
  select p.access_level from room_participants p
  where p.workspace_id = ${room}.workspace_id and p.room_id = ${room}.id and p.user_id = $2 and p.status = 'active'
    and (p.expires_at is null or p.expires_at > now()) and ($3::boolean or p.as_guest))`

/**
 * The viewer's level in a Room, or null: what was given to them, and what is given to all, whichever is more. SQL for a
 * statement whose first values are those of the viewer; `room` is its name for the row.
 */
export const levelIn = (room: string) => `greatest(${participantLevel(room)}, ${generalLevel(room)})`
