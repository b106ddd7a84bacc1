// SQL for the candidates of a list of Rooms or events: the Rooms in which a viewer may have a level, found by indexes. Only a
// participation or general access gives a level (room-visibility-store.ts), so no other Room needs to be read. Whether the
// viewer has a level in a candidate is decided by `levelInSql`. $1 to $4 are the viewer.

/** Which part of a list to read, as SQL expressions: the Rooms after an id, at most `limit` from each source. */
interface IdRange {
  after: string
  limit: string
}

/** The ids of Rooms, each with the name of its source. */
const idsFromSql = (source: string, rows: string, id: string, { after, limit }: IdRange) =>
  `(select '${source}' as source, ${id} as id from ${rows} and ${id} > ${after} order by ${id} limit ${limit})`

const withGeneralAccessSql = (access: 'workspace' | 'business') =>
  `rooms r where r.workspace_id = $1 and r.general_access = '${access}'`

/** The viewer's participations, from an index in the order of Rooms; `part` is the row. */
const ownParticipations = `room_participants part
  where part.workspace_id = $1 and part.user_id = $2 and part.status = 'active'`

/** The Rooms in which the viewer may have a level. */
export const maybeVisibleRoomsSql = (range: IdRange) =>
  [
    idsFromSql('taking part', ownParticipations, 'part.room_id', range),
    idsFromSql('workspace', `${withGeneralAccessSql('workspace')} and $3::boolean`, 'r.id', range),
    idsFromSql(
      'business',
      `${withGeneralAccessSql('business')} and $3::boolean and $4::boolean`,
      'r.id',
      range,
    ),
  ].join(' union all ')

/** The Rooms that are about a Business. */
export const roomsAboutBusinessSql = (business_id: string, range: IdRange) =>
  idsFromSql('about', `rooms r where r.workspace_id = $1 and r.business_id = ${business_id}`, 'r.id', range)

/** The sub-rooms of a Room. */
export const subRoomsSql = (parent_id: string, range: IdRange) =>
  idsFromSql('parent', `rooms r where r.workspace_id = $1 and r.parent_id = ${parent_id}`, 'r.id', range)

/** The Rooms that have a Business as an attachment. */
export const roomsWithAttachmentSql = (business_id: string, range: IdRange) =>
  idsFromSql(
    'attached',
    `room_attachments a where a.workspace_id = $1 and a.type = 'business' and a.resource_id = ${business_id}`,
    'a.room_id',
    range,
  )

/**
 * A Room by an id that another part of the statement supplies, for a `cross join lateral`. `offset 0` makes PostgreSQL read it
 * by its key for each id; otherwise the planner may read all Rooms of the Workspace.
 */
export const roomByIdSql = (id: string, room: string, condition = 'true') =>
  `(select ${room}.* from rooms ${room} where ${room}.workspace_id = $1 and ${room}.id = ${id} and ${condition} offset 0) ${room}`
