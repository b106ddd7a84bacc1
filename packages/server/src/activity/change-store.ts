import { read, type Reader } from '../database/statement.ts'
import { viewerValues, type Viewer } from '../rooms/room-sight-store.ts'
import { eventColumns, isOfTypes, isShown, shownColumns, visibleRooms, type EventRow } from './event-store.ts'

export interface ChangesPage {
  events: EventRow[]
  /** How far was looked, what the viewer may not see included. Null where the Workspace has no feed. */
  cursor: string | null
  has_more: boolean
}

/** How many events are looked at for a page. */
const depth = 1000

/** What happened after a position in the Rooms that the viewer can open, in the order in which it was committed. */
export async function changesPage(
  reader: Reader,
  viewer: Viewer,
  { room_id, types }: { room_id?: string | undefined; types?: readonly string[] | undefined },
  page: { after: string | null; limit: number },
): Promise<ChangesPage> {
  const rows = await reader.many(room_id === undefined ? changesOfRooms : changesOfRoom, [
    ...viewerValues(viewer),
    room_id ?? null,
    types ?? null,
    page.after ?? '0',
    page.limit + 1,
    depth,
  ])
  const [first] = rows
  if (!first || first.looked_to === '0') return { events: [], cursor: null, has_more: false }
  const found = rows.filter((row): row is EventRow & Extent => row.id !== null)
  const events = found.slice(0, page.limit)
  const last = events.at(-1)
  if (found.length > page.limit && last) return { events, cursor: last.position, has_more: true }
  return { events, cursor: first.looked_to, has_more: first.goes_on }
}

/** The position of the newest event of a Workspace, whoever may see it; null where there is none. */
export async function newestPosition(reader: Reader, workspace_id: string): Promise<string | null> {
  return (await reader.one(newest, [workspace_id]))?.position ?? null
}

interface Extent {
  looked_to: string
  goes_on: boolean
}
type ChangeRow = (EventRow | { [K in keyof EventRow]: null }) & Extent

/**
 * Looks at some events from a position on, whoever may see them, and takes the page from these. A position past the end,
 * as of a database that was set back, counts as the end: what comes after it would else be passed over.
 */
const changesFrom = (name: string, some: string, lookedTo: string) =>
  read<ChangeRow>(
    name,
    `with head as (
       select last_position as position, least($7::bigint, last_position) as start from feed_positions where workspace_id = $1
     ), looked_at as materialized (
       select ${eventColumns} from events e
       where e.workspace_id = $1 and e.position > (select start from head) and ${some}
     ), visible as materialized (${visibleRooms('r.id in (select room_id from looked_at)')}
     ), page as (
       select e.*, visible.room_title, visible.masked from looked_at e join visible using (room_id)
     ), extent as (
       select head.position as head, ${lookedTo} as looked_to from head
     )
     select extent.looked_to, extent.looked_to < extent.head as goes_on, change.*
     from extent left join (
       select ${shownColumns} from page e
       where e.feed = 'activity' and ${isOfTypes('$6::text[]')} and ${isShown}
       order by e.position limit $8
     ) change on true
     order by change.position`,
  )

// Positions have no gaps, so that a part of them is as many events.
const changesOfRooms = changesFrom(
  'changes_of_rooms',
  'e.position <= (select start from head) + $9::integer and $5::text is null',
  'least(head.start + $9, head.position)',
)
const changesOfRoom = changesFrom(
  'changes_of_room',
  'e.room_id = $5 order by e.position limit $9::integer',
  'case when (select count(*) from looked_at) = $9 then (select max(position) from looked_at) else head.position end',
)

const newest = read<{ position: string }>(
  'feed_newest',
  'select last_position as position from feed_positions where workspace_id = $1 and last_position > 0',
)
