// SQL expressions for the events that a viewer can see, to be used inside statements. Their parameters are those of `asViewer`.
import type { SubjectType } from '@wbs/contract/activity'
import type { ActivityType, Actor } from '@wbs/contract/events'
import type { Id } from '@wbs/contract/ids'
import { isKnownPersonSql, masksGuestsSql } from '../rooms/visibility/masked-people-store.ts'
import type { PlacedTable } from '../rooms/visibility/givers-access.ts'
import { knowsPeopleSql } from '../rooms/visibility/place-visibility-store.ts'
import { hasRestrictedFilesSql, mayKnowFileSql } from '../rooms/visibility/room-file-visibility-store.ts'
import { placedApprovals } from '../connections/approvals/approval-visibility-store.ts'
import { placedGoals } from '../goals/goal-visibility-store.ts'
import { placedTasks } from '../tasks/task-visibility-store.ts'
import { roomByIdSql } from '../rooms/visibility/visible-rooms-store.ts'
import { hasBusinessSql, levelRowSql } from '../rooms/visibility/room-visibility-store.ts'

/** An event of a Room that the viewer can see, with the present title of the Room. */
export interface EventRow {
  position: string
  id: Id<'evt'>
  type: ActivityType
  occurred_at: string
  room_id: Id<'rom'>
  room_title: string
  actor: Actor
  subject: { type: SubjectType; id: string; name: string | null }
  about: { user_id: string | null; email: string | null; name: string | null } | null
  data: Record<string, unknown>
}

/** How many events, hidden ones included, one scan reads at most in a Room that hides some. */
export const mostScanned = 20_000

/** After how many scans that found only hidden events a page ends. Only past so many does the end of a page reveal them. */
export const mostScans = 10

/**
 * Of the Rooms whose ids another part of the statement supplies, those that the viewer can see. `masked` says whether the Room
 * hides other guests from this viewer, and `restricted` whether it may hide Files.
 */
export const visibleRoomsSql = (ids: string, condition = 'true') => `
  select r.id as room_id, r.title as room_title, not :is_member::boolean and ${masksGuestsSql('r', 'v.access_level')} as masked,
    v.access_level < 'full_access' and ${hasRestrictedFilesSql('r')} as restricted
  from (${ids}) candidate cross join lateral ${roomByIdSql('candidate.id', 'r', condition)}
  cross join lateral ${levelRowSql('r')} as v (access_level)
  where v.access_level is not null`

/** Whether the row of a visible Room is one that may hide events from the viewer. */
export const hidesEventsSql = (room: string) => `(${room}.masked or ${room}.restricted)`

/** Whether a masked Room shows the event `e`. Events of other guests and of pending invitations are hidden. */
export const isShownToGuestSql = (viewer_id: string) => `(
  ${isKnownPersonSql(`(e.actor ->> 'user_id')::uuid`, viewer_id)} and ${isKnownPersonSql(`(e.about ->> 'user_id')::uuid`, viewer_id)}
  and (e.subject ->> 'type' <> 'participant' or exists (
    select from room_participants p
    where p.workspace_id = :workspace_id and p.room_id = e.room_id and p.id::text = e.subject ->> 'id'
      and p.user_id is not null and ${isKnownPersonSql('p.user_id', viewer_id)}))
  and ${isAboutKnownPeopleSql('goal', placedGoals, viewer_id)}
  and ${isAboutKnownPeopleSql('task', placedTasks, viewer_id)}
  and ${isAboutKnownPeopleSql('approval', placedApprovals, viewer_id)}
  and not exists (
    select from jsonb_array_elements_text(e.data -> 'evidence_file_ids') as named (id)
    where not ${mayKnowFileSql('e.room_id', 'named.id', viewer_id)})
  and ${isOfKnownEnderSql}
  and (e.type <> 'business.updated' or exists (
    select from rooms of_event
    where of_event.workspace_id = :workspace_id and of_event.id = e.room_id
      and ${hasBusinessSql('of_event', `(e.subject ->> 'id')`, isKnownPersonSql('a.attached_by', viewer_id))} offset 0)))`

/** Whether the event repeats no note of a Task, or one of which it says who gave it, or that a member gave it. */
const isOfKnownEnderSql = `(
  e.type <> 'task.reopened' or e.data #>> '{earlier,terminal_reason}' is null or e.about ->> 'user_id' is not null or exists (
    select from tasks t
    where t.workspace_id = :workspace_id and t.id = e.subject ->> 'id'
      and (t.enders_unknown_until is null or t.enders_unknown_until < e.occurred_at) offset 0))`

/** Whether the subject of the event `e` has another type, or concerns only people whom the viewer can see now. */
const isAboutKnownPeopleSql = (type: SubjectType, placed: PlacedTable, viewer_id: string) => `(
  e.subject ->> 'type' <> '${type}' or exists (
    select from ${placed.table} t
    where t.workspace_id = :workspace_id and t.id = e.subject ->> 'id' and ${knowsPeopleSql('t', placed, viewer_id)} offset 0))`

/** Whether the viewer can see the event `e` of a visible Room, which is masked or has restricted Files, or not. */
const isShownSql = ({ masked, restricted }: { masked: string; restricted: string }) => `(
  (not ${masked} or ${isShownToGuestSql(':viewer_id::uuid')})
  and (not ${restricted} or e.subject ->> 'type' <> 'file' or ${mayKnowFileSql('e.room_id', `(e.subject ->> 'id')`, ':viewer_id')}))`

/** The same for the row of a visible Room. */
export const isShownInSql = (room: string) =>
  isShownSql({ masked: `${room}.masked`, restricted: `${room}.restricted` })

/**
 * Whether the viewer can see the event `e` of any feed and Room, given the visible Rooms from another part of the statement.
 * `in (select …)` is evaluated as a hash, so that events and Rooms are not compared in pairs.
 */
export const isVisibleSql = (visible: string) => `(
  case when e.feed = 'activity' then e.room_id in (select room_id from ${visible}) end
  and ${isShownSql({
    masked: `(e.room_id in (select room_id from ${visible} where masked))`,
    restricted: `(e.room_id in (select room_id from ${visible} where restricted))`,
  })})`

/** The title of the Room of the event `e`. */
export const roomTitleSql =
  '(select r.title from rooms r where r.workspace_id = :workspace_id and r.id = e.room_id)'

/** Whether the event `e` has one of some types, or one of some groups of types such as `room.*`; null accepts all. */
export const isOfTypesSql = (types: string) =>
  `(${types} is null or e.type = any (${types}) or split_part(e.type, '.', 1) || '.*' = any (${types}))`

export const eventColumns =
  'e.workspace_id, e.position, e.id, e.type, e.feed, e.occurred_at, e.actor, e.subject, e.about, e.room_id, e.data'

/** The columns of an EventRow. An event of an API key does not store the name of the key's owner, so it is read here. */
export const presentedColumns = `e.position, e.id, e.type, e.occurred_at, e.room_id, e.room_title, e.subject, e.about, e.data,
  case when e.actor ->> 'name' is null and e.actor ->> 'user_id' is not null
    then e.actor || jsonb_build_object('name', (select u.name from users u where u.id = (e.actor ->> 'user_id')::uuid))
    else e.actor end as actor`

/** How many events, hidden ones included, are read from each Room that may hide some. */
export const hidingDepthSql = (least: string, most: string) =>
  `greatest(${least}, ${most}::bigint / greatest((select count(*) from visible where ${hidesEventsSql('visible')}), 1))`
