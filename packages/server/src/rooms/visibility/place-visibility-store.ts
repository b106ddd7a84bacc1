// SQL for what has a place: it stands in a Room or, with room_id null, in the Workspace.
import type { Giver, PlacedTable } from './givers-access.ts'
import { isKnownPersonSql, masksGuestsSql } from './masked-people-store.ts'

/** The users whom the row concerns, as an array. */
const peopleSql = (row: string, { people, writers }: PlacedTable) => {
  const named = `array[${people.map(column => `${row}.${column}`).join(', ')}]`
  return writers === undefined ? named : `${named} || ${row}.${writers}`
}

/** Whether the viewer can see all users whom the row concerns, in a Room that masks guests. */
export const knowsPeopleSql = (
  row: string,
  { people, writers }: PlacedTable,
  viewer_id = ':viewer_id::uuid',
) =>
  `(${[
    ...people.map(column => isKnownPersonSql(`${row}.${column}`, viewer_id)),
    ...(writers === undefined ? [] : [knowsAllSql(`${row}.${writers}`, viewer_id)]),
  ].join(' and ')})`

/** Whether the viewer can see all users of an array, in a Room that masks guests. */
export const knowsAllSql = (users: string, viewer_id = ':viewer_id::uuid') =>
  `exists (select from known_people(:workspace_id, ${viewer_id}, ${users}))`

/** Whether the Room of the row hides other guests from the viewer, who has a level on the row. */
export const isMaskedSql = (row: string, access_level: string) => `(not :is_member::boolean and exists (
  select from rooms masking
  where masking.workspace_id = :workspace_id and masking.id = ${row}.room_id and ${masksGuestsSql('masking', access_level)} offset 0))`

/** The names of the fields that the rule hides from the viewer of the row, as an array. */
export const hiddenFieldsSql = (row: string, access_level: string, { fields }: PlacedTable) => {
  const hidden = Object.entries(fields).flatMap(([field, giver]) => {
    const isHidden = typeof giver === 'object' && isHiddenSql(row, field, giver)
    return isHidden ? [`case when ${row}.${field} is not null and ${isHidden} then '${field}' end`] : []
  })
  return `case when ${isMaskedSql(row, access_level)} then array_remove(array[${hidden.join(', ')}]::text[], null) else '{}' end`
}

/** A field of the row, or null where the rule hides it from the viewer. */
export const knownFieldSql = (row: string, access_level: string, { fields }: PlacedTable, field: string) => {
  const giver = fields[field]
  if (typeof giver !== 'object') return `${row}.${field}`
  return `case when not ${isHiddenSql(row, field, giver)} or not ${isMaskedSql(row, access_level)} then ${row}.${field} end`
}

const isHiddenSql = (row: string, field: string, giver: Extract<Giver, object>) => {
  // Of a giver who was not recorded, nobody knows whether the viewer could see them.
  if ('by' in giver)
    return `(${row}.${giver.by} is null or not ${isKnownPersonSql(`${row}.${giver.by}`, ':viewer_id::uuid')})`
  const named = giver.names()
  return `exists (
    select from ${named.table} named
    where named.workspace_id = :workspace_id and named.id = ${row}.${field} and not ${knowsPeopleSql('named', named)} offset 0)`
}

/**
 * Whether the viewer, who has a level on the row, can see a user who did something with it: not where its Room hides other guests
 * from the viewer.
 */
export const seesPersonSql = (row: string, access_level: string, user_id: string) =>
  `(${isKnownPersonSql(user_id, ':viewer_id::uuid')} or not ${isMaskedSql(row, access_level)})`

/** The level of the viewer on the row, or null, as a row for a `from`. */
export const placeLevelRowSql = (row: string, placed: PlacedTable) =>
  `level_on_placed(:workspace_id, :viewer_id, :is_member, :reads_businesses, ${row}.room_id, ${peopleSql(row, placed)})`

/** The same as an expression. */
export const placeLevelSql = (row: string, placed: PlacedTable) =>
  `(select seen.access_level from ${placeLevelRowSql(row, placed)} as seen (access_level))`

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
    `(select ${column} from rooms place left join rooms parent on parent.workspace_id = :workspace_id and parent.id = place.parent_id
      where place.workspace_id = :workspace_id and place.id = ${row}.room_id)`
  return `${ofRoom('place.status')} as room_status, ${ofRoom('parent.status')} as parent_status,
    coalesce(${ofRoom(`place.participant_visibility = 'managers'`)}, false) as masks_guests`
}
