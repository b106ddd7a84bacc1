// From where lists of Rooms and of events start: the Rooms in which a viewer may have a level, found by indexes. What gives
// a level is taking part or general access (room-sight-store.ts), so that no other Room needs to be looked at. Whether they
// have one in these is for `levelIn` alone to say. $1 to $4 are the viewer.

/** A part of what there is, as expressions of SQL: Rooms behind an id, and at most so many from each source. */
interface Stretch {
  behind: string
  most: string
}

/** Ids of Rooms, each with the source that it comes from. */
const idsFrom = (source: string, rows: string, id: string, { behind, most }: Stretch) =>
  `(select '${source}' as source, ${id} as id from ${rows} and ${id} > ${behind} order by ${id} limit ${most})`

const ofGeneralAccess = (access: 'workspace' | 'business') =>
  `rooms r where r.workspace_id = $1 and r.general_access = '${access}'`

/** What the viewer takes part in, by an index in the order of Rooms; `part` is the row. */
const ownParts = `room_participants part
  where part.workspace_id = $1 and part.user_id = $2 and part.status = 'active'`

/** The Rooms in which the viewer may have a level. */
export const roomsOfReader = (stretch: Stretch) =>
  [
    idsFrom('taking part', ownParts, 'part.room_id', stretch),
    idsFrom('workspace', `${ofGeneralAccess('workspace')} and $3::boolean`, 'r.id', stretch),
    idsFrom('business', `${ofGeneralAccess('business')} and $3::boolean and $4::boolean`, 'r.id', stretch),
  ].join(' union all ')

/** The Rooms that are about a Business. */
export const roomsAboutBusiness = (business_id: string, stretch: Stretch) =>
  idsFrom('about', `rooms r where r.workspace_id = $1 and r.business_id = ${business_id}`, 'r.id', stretch)

/** The sub-rooms of a Room. */
export const roomsOfParent = (parent_id: string, stretch: Stretch) =>
  idsFrom('parent', `rooms r where r.workspace_id = $1 and r.parent_id = ${parent_id}`, 'r.id', stretch)

/** The Rooms that point at a Business. */
export const roomsPointingAt = (business_id: string, stretch: Stretch) =>
  idsFrom(
    'pointing',
    `room_attachments a where a.workspace_id = $1 and a.type = 'business' and a.resource_id = ${business_id}`,
    'a.room_id',
    stretch,
  )

/**
 * The Room of an id that another part of the statement gives, to be joined by `cross join lateral`. By `offset 0` it is
 * looked up by its key for each id: joined in another way, all Rooms of the Workspace might be gone through.
 */
export const roomOf = (id: string, room: string, condition = 'true') =>
  `(select ${room}.* from rooms ${room} where ${room}.workspace_id = $1 and ${room}.id = ${id} and ${condition} offset 0) ${room}`
