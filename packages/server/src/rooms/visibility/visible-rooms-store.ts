// SQL for the candidates of a list of Rooms or events: the Rooms in which a viewer may have a level, found by indexes. Whether
// the viewer has a level in a candidate is decided by `level_in_room`.

/** Which part of a list to read, as SQL expressions: the Rooms after an id, at most `limit` from each source. */
interface IdRange {
  after: string
  limit: string
}

/** The ids of Rooms, each with the name of its source. */
const idsFromSql = (source: string, rows: string, id: string, { after, limit }: IdRange) =>
  `(select '${source}' as source, ${id} as id from ${rows} and ${id} > ${after} order by ${id} limit ${limit})`

/** The Rooms in which the viewer may have a level. */
export const maybeVisibleRoomsSql = ({ after, limit }: IdRange) =>
  `select source, id collate "C" as id from rooms_maybe_seen_by(:workspace_id, :viewer_id, :is_member, :reads_businesses, ${after}, ${limit})`

/** The Rooms that are about a Business. */
export const roomsAboutBusinessSql = (business_id: string, range: IdRange) =>
  idsFromSql(
    'about',
    `rooms r where r.workspace_id = :workspace_id and r.business_id = ${business_id}`,
    'r.id',
    range,
  )

/** The sub-rooms of a Room. */
export const subRoomsSql = (parent_id: string, range: IdRange) =>
  idsFromSql(
    'parent',
    `rooms r where r.workspace_id = :workspace_id and r.parent_id = ${parent_id}`,
    'r.id',
    range,
  )

/** The Rooms that have a Business as an attachment. */
export const roomsWithAttachmentSql = (business_id: string, range: IdRange) =>
  idsFromSql(
    'attached',
    `room_attachments a where a.workspace_id = :workspace_id and a.type = 'business' and a.resource_id = ${business_id}`,
    'a.room_id',
    range,
  )

/**
 * A Room by an id that another part of the statement supplies, for a `cross join lateral`. `offset 0` makes PostgreSQL read it
 * by its key for each id; otherwise the planner may read all Rooms of the Workspace: 774 buffers instead of 654 for a page of
 * Files in 20 Rooms until there are statistics.
 */
export const roomByIdSql = (id: string, room: string, condition = 'true') =>
  `(select ${room}.* from rooms ${room} where ${room}.workspace_id = :workspace_id and ${room}.id = ${id} and ${condition} offset 0) ${room}`
