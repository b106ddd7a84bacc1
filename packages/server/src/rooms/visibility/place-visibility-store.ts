// SQL for what has a place: it stands in a Room or, with room_id null, in the Workspace. $1 to $4 are the viewer.
import { isKnownPersonSql, masksGuestsSql } from './masked-people-store.ts'
import { levelInSql } from './room-visibility-store.ts'
import { roomByIdSql } from './visible-rooms-store.ts'

/** A table whose rows have a place. */
export interface PlacedTable {
  table: 'goals' | 'tasks' | 'approvals'
  /** The columns with the users whom a row concerns. Where a Room hides one of them from the viewer, it hides the row. */
  people: readonly string[]
}

/** Whether the viewer can see all users whom the row concerns, in a Room that masks guests. */
export const knowsPeopleSql = (row: string, { people }: PlacedTable, viewer_id = '$2::uuid') =>
  `(${people.map(column => isKnownPersonSql(`${row}.${column}`, viewer_id)).join(' and ')})`

/**
 * Whether the viewer, who has a level on the row, can see a user who did something with it: not where its Room hides other guests
 * from the viewer.
 */
export const seesPersonSql = (row: string, access_level: string, user_id: string) => `(
  $3::boolean or ${isKnownPersonSql(user_id, '$2::uuid')} or not exists (
    select from rooms masking
    where masking.workspace_id = $1 and masking.id = ${row}.room_id and ${masksGuestsSql('masking', access_level)} offset 0))`

/**
 * The level of the viewer on the row, or null: that in its Room or, without a Room, edit for every member of the Workspace,
 * whose permissions decide what they may do.
 */
export const placeLevelSql = (row: string, placed: PlacedTable) => `case
  when ${row}.room_id is null then case when $3::boolean then 'edit'::access_level end
  else (
    select v.access_level
    from ${roomByIdSql(`${row}.room_id`, 'r')}
    cross join lateral (select ${levelInSql('r')} as access_level offset 0) v
    where v.access_level is not null
      and ($3::boolean or not ${masksGuestsSql('r', 'v.access_level')} or ${knowsPeopleSql(row, placed)}))
end`

/** The state of the Room of a row, for whoever changes the row. */
export interface PlaceState {
  room_id: string | null
  /** Null without a Room. */
  room_status: 'active' | 'archived' | null
  /** Null if the Room has no parent. */
  parent_status: 'active' | 'archived' | null
  /** Whether the Room masks guests. */
  masks_guests: boolean
}

/** The columns of a PlaceState besides room_id. */
export const placeStateSql = (row: string) => {
  const ofRoom = (column: string) =>
    `(select ${column} from rooms place left join rooms parent on parent.workspace_id = $1 and parent.id = place.parent_id
      where place.workspace_id = $1 and place.id = ${row}.room_id)`
  return `${ofRoom('place.status')} as room_status, ${ofRoom('parent.status')} as parent_status,
    coalesce(${ofRoom(`place.participant_visibility = 'managers'`)}, false) as masks_guests`
}
