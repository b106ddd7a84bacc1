// What a viewer sees of the feed, as expressions for the statements that look it up. $1 to $4 are the viewer.
import type { SubjectType } from '@wbs/contract/activity'
import type { Actor, EventType } from '@wbs/contract/events'
import type { Id } from '@wbs/contract/ids'
import { roomByIdSql } from '../rooms/visibility/visible-rooms-store.ts'
import { isMemberSql, levelInSql } from '../rooms/visibility/room-visibility-store.ts'

/** An event of a Room that somebody can open, with the Room's title as it is now. */
export interface EventRow {
  position: string
  id: Id<'evt'>
  type: EventType
  occurred_at: string
  room_id: Id<'rom'>
  room_title: string
  actor: Actor
  subject: { type: SubjectType; id: string; name: string | null }
  about: { user_id: string | null; email: string | null; name: string | null } | null
  data: Record<string, unknown>
}

/** How many events one look goes through at most in a Room that masks people from each other, hidden ones included. */
export const mostLookedAt = 20_000

/**
 * How often it looks on where all that it came to was hidden from the viewer. Only past so many would a page tell by its end
 * that something is hidden.
 */
export const mostLooks = 10

/** Whether a Room hides people from outside the Workspace from one of them who has a level in it. */
export const masks = (room: string, access_level: string) =>
  `(${room}.participant_visibility = 'managers' and ${access_level} < 'full_access')`

/**
 * Of the Rooms whose ids another part of the statement gives, those that the viewer, $1 to $4, can open. A Room may hide
 * people from outside the Workspace from each other; `masked` says that it does so from this viewer, who is one of them and
 * does not manage the Room.
 */
export const visibleAmong = (ids: string, condition = 'true') => `
  select r.id as room_id, r.title as room_title, not $3::boolean and ${masks('r', 'v.access_level')} as masked
  from (${ids}) candidate cross join lateral ${roomByIdSql('candidate.id', 'r', condition)}
  cross join lateral (select ${levelInSql('r')} as access_level offset 0) v
  where v.access_level is not null`

/** Whether a user is nobody, the viewer, or somebody of the Workspace: whom the viewer may see in a masked Room. */
const isNoRival = (user_id: string, viewer_id: string) => `(
  ${user_id} is null or ${user_id} = ${viewer_id} or ${isMemberSql(user_id)})`

/**
 * Whether the viewer may see the event `e` of a Room that they can open, which is masked or not. An invitation is of
 * somebody from outside.
 */
export const isShownIn = (masked: string, viewer_id = '$2::uuid') => `(not ${masked} or
  ${isNoRival(`(e.actor ->> 'user_id')::uuid`, viewer_id)} and ${isNoRival(`(e.about ->> 'user_id')::uuid`, viewer_id)}
  and (e.subject ->> 'type' <> 'participant' or exists (
    select from room_participants p
    where p.workspace_id = $1 and p.room_id = e.room_id and p.id::text = e.subject ->> 'id'
      and p.user_id is not null and ${isNoRival('p.user_id', viewer_id)})))`

/**
 * Whether the event `e`, of whatever feed and Room, is among what the viewer may see, where another part of the statement
 * has the Rooms that they can open. It is asked as a set: however many there are of both, nothing is compared pair by pair.
 */
export const isSeenIn = (visible: string) => `(
  case when e.feed = 'activity' then e.room_id in (select room_id from ${visible}) end
  and ${isShownIn(`(e.room_id in (select room_id from ${visible} where masked))`)})`

/** The title of the Room of the event `e`. */
export const titleOfRoom = '(select r.title from rooms r where r.workspace_id = $1 and r.id = e.room_id)'

/** Whether the event `e` is of one of some types or kinds; null takes all. */
export const isOfTypes = (types: string) =>
  `(${types} is null or e.type = any (${types}) or split_part(e.type, '.', 1) || '.*' = any (${types}))`

export const eventColumns =
  'e.workspace_id, e.position, e.id, e.type, e.feed, e.occurred_at, e.actor, e.subject, e.about, e.room_id, e.data'

/** An event as it is given out. Keys do not know the name of whom they act for. */
export const shownColumns = `e.position, e.id, e.type, e.occurred_at, e.room_id, e.room_title, e.subject, e.about, e.data,
  case when e.actor ->> 'name' is null and e.actor ->> 'user_id' is not null
    then e.actor || jsonb_build_object('name', (select u.name from users u where u.id = (e.actor ->> 'user_id')::uuid))
    else e.actor end as actor`

/** How many of its events, hidden ones included, are looked at in each masked Room. */
export const rawDepth = (least: string, most: string) =>
  `greatest(${least}, ${most}::bigint / greatest((select count(*) from visible where masked), 1))`
