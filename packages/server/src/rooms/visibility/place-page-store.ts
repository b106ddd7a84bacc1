import { read, type Reader, type Statement } from '../../database/statement.ts'
import type { PlacedTable } from './givers-access.ts'
import { placeLevelRowSql } from './place-visibility-store.ts'
import { asViewer, type Viewer } from './room-visibility-store.ts'
import { maybeVisibleRoomsSql } from './visible-rooms-store.ts'

/** How many candidates one page reads at most. Only past so many does the end of a page depend on hidden rows. */
const mostRead = 20_000

/** How many candidates one scan takes from each source at most. */
const mostCandidates = 5000

/** How many candidates for each row of a page are read before the Rooms of a member are searched. */
const triedForEach = 3

// One way for all viewers does not do. Among 100,000 Tasks in as many Rooms, a page of 20 takes, in buffers:
//
//   Rooms of the viewer          3     500   1,400   5,000  100,000
//   as in `few`                126   2,293   5,077  15,533  303,080
//   as in `some`             2,081   1,047   1,215     504    3,051
//   as in `many`           274,004  43,995  11,930   1,692      635
//
// The first three are guests. `some` finds one of the three Tasks of the first, and for the last it takes 148 ms of the processor,
// where `many` takes 2.

/** With up to so many Rooms of the viewer, the next row is looked up in each. */
const fewRooms = 400

/**
 * With up to so many, the next rows of the Workspace are read, and those in the viewer's Rooms are candidates. With more, all
 * of them are: whoever has so many Rooms sees many of the rows.
 */
const someRooms = 1500

/** How many rows of the Workspace one scan reads for each candidate, for a viewer of some Rooms, and how many at most. */
const passed = { each: 50, most: 10_000 }

interface Extent {
  /** The id to which all sources were read, hidden rows included; null if the scan reached the end. */
  scanned_to: string | null
}

type ScanRow<Row> = Extent & (({ page_id: string } & Row) | { [K in keyof Row | 'page_id']: null })

/** A statement that reads a part of a list. */
export interface PlaceScan<Row> {
  statement: Statement<ScanRow<Row>, 'read'>
  /** If it starts from the Rooms of the viewer: the statement that starts from all rows, of which a member may see most. */
  ofAll?: Statement<ScanRow<Row>, 'read'>
}

/** A list of rows that have a place, by id. */
export interface PlacedList extends PlacedTable {
  /** The columns of an answer, from the row `t` and `page.access_level`. */
  columns: string
  /** The conditions of the filter on the row `t`. */
  filter: string
  /** The conditions of the filter on fields that a Room may hide from the viewer, whose level is `seen.access_level`. */
  known?: string
}

/**
 * The statements of a list. `ofViewer(name, condition)` starts from the Rooms of the viewer; `having(name, condition)` from the
 * rows that meet a condition on `t`. The table has indexes for the condition: in the order of ids and, for `ofViewer`, also of
 * each Room in that order.
 */
export const placeScans = <Row extends object>(list: PlacedList) => ({
  ofViewer: (name: string, condition = 'true'): PlaceScan<Row> => ({
    statement: scanStatement<Row>(name, list, sourcesOfViewer(list, condition)),
    ofAll: scanStatement<Row>(`${name}_of_all`, list, sourceHaving(list, condition)),
  }),
  having: (name: string, condition: string): PlaceScan<Row> => ({
    statement: scanStatement<Row>(name, list, sourceHaving(list, condition)),
  }),
})

/** A page of the rows that the viewer can see, by id. It can be short or empty although there are more pages. */
export async function placedPage<Row extends object>(
  reader: Reader,
  viewer: Viewer,
  scan: PlaceScan<Row>,
  filter: object,
  { after, limit }: { after: string; limit: number },
): Promise<{ rows: Row[]; cursor: string | null }> {
  const found: { id: string; row: Row }[] = []
  let [from, left] = [after, mostRead]
  let statement = viewer.is_member ? (scan.ofAll ?? scan.statement) : scan.statement
  // One row more than the page holds shows that there is a next page.
  let candidates = statement === scan.ofAll ? (limit + 1) * triedForEach : limit + 1
  for (;;) {
    const wanted = limit + 1 - found.length
    const range = { after: from, wanted, candidates }
    const scanned = await reader.many(statement, { ...filter, ...asViewer(viewer), ...range })
    found.push(...scanned.flatMap(row => rowIn<Row>(row)))
    const page = found.slice(0, limit)
    const rows = page.map(({ row }) => row)
    if (found.length > limit) return { rows, cursor: page.at(-1)?.id ?? null }
    const scanned_to = scanned[0]?.scanned_to ?? null
    if (scanned_to === null) return { rows, cursor: null }
    left -= candidates
    if (left <= 0) return { rows, cursor: scanned_to }
    from = scanned_to
    candidates = statement === scan.ofAll ? limit + 1 : Math.min(candidates * 8, mostCandidates)
    statement = scan.statement
  }
}

/** The row of a list with its id. The only row of an empty scan has none. */
function rowIn<Row extends object>(scanned: ScanRow<Row>): { id: string; row: Row }[] {
  const { scanned_to: _, page_id: id, ...row } = scanned
  return id === null ? [] : [{ id, row: row as unknown as Row }]
}

/** The next rows of one source in the order of their ids, and whether each may pass the filter. */
const rowsSql = (list: PlacedList, source: string, condition: string, most = ':candidates') =>
  `(select '${source}' as source, t.id, ${list.filter} as matches from ${list.table} t
    where t.workspace_id = :workspace_id and ${condition} and t.id > :after order by t.id limit ${most})`

/** Of all rows, a viewer of many Rooms sees fewer than of those in their own Rooms, so more of them are candidates. */
const candidatesOfMany = `least(:candidates::integer * 8, ${mostCandidates})`

const sourceHaving = (list: PlacedList, condition: string) =>
  `source as materialized ${rowsSql(list, 'having', condition)}, passed as materialized (select null::text as last)`

/**
 * The rows without a Room, and those in the Rooms of the viewer. Of few Rooms, only those with the earliest next rows are read:
 * the candidates are all among them. For some Rooms, `passed` has the last row that was passed, if there are more.
 */
function sourcesOfViewer(list: PlacedList, condition: string): string {
  const nextInRoom = (columns: string, limit: string) => `(
    select ${columns} from ${list.table} t
    where t.workspace_id = :workspace_id and t.room_id = room.id and ${condition} and t.id > :after order by t.id limit ${limit})`
  const mostPassed = `least(:candidates::integer * ${passed.each}, ${passed.most})`
  return `room as materialized (
     select distinct id from (${maybeVisibleRoomsSql({ after: `''`, limit: String(someRooms + 1) })}) one
   ), counted as materialized (
     select case when count(*) <= ${fewRooms} then 'few' when count(*) <= ${someRooms} then 'some' else 'many' end as rooms from room
   ), earliest as materialized (
     select room.id from room cross join lateral ${nextInRoom('t.id as next', '1')} one
     where (select rooms from counted) = 'few' order by one.next limit :candidates
   ), next as materialized (
     select t.id, t.room_id, ${list.filter} as matches from ${list.table} t
     where t.workspace_id = :workspace_id and (select rooms from counted) = 'some' and ${condition} and t.id > :after
     order by t.id limit ${mostPassed}
   ), passed as materialized (
     select case when count(*) = ${mostPassed} then max(id) end as last from next
   ), source as materialized (
     ${rowsSql(list, 'workspace', `t.room_id is null and :is_member::boolean and ${condition}`)}
     union all (select 'few', one.id, true from earliest room cross join lateral ${nextInRoom('t.id', ':candidates')} one
       order by one.id limit :candidates)
     union all (select 'some', next.id, next.matches from next where next.room_id in (select id from room)
       order by next.id limit :candidates)
     union all ${rowsSql(list, 'many', `(select rooms from counted) = 'many' and ${condition}`, candidatesOfMany)})`
}

/**
 * Reads the next candidates of each source and examines them in the order of their ids, up to the id to which all sources
 * were read. `offset 0` has each candidate read by its key: the plan is made without knowing how few they are.
 */
function scanStatement<Row>(name: string, list: PlacedList, sources: string) {
  return read<ScanRow<Row>>(
    name,
    `with ${sources}, extent as materialized (
       select min(last) as scanned_to
       from (
         select max(id) as last from source group by source
         having count(*) = case source when 'many' then ${candidatesOfMany} else :candidates end
         union all select last from passed
       ) cut_off
     ), candidate as materialized (
       select distinct id from source where matches and id <= coalesce((select scanned_to from extent), '~') order by id
     ), page as materialized (
       select t.id, seen.access_level
       from candidate cross join lateral (
         select * from ${list.table} one where one.workspace_id = :workspace_id and one.id = candidate.id offset 0
       ) t cross join lateral ${placeLevelRowSql('t', list)} as seen (access_level)
       where ${list.filter} and seen.access_level is not null and ${list.known ?? 'true'}
       order by candidate.id limit :wanted
     )
     select extent.scanned_to, shown.*
     from extent left join (
       select page.id as page_id, ${list.columns}
       from page join ${list.table} t on t.workspace_id = :workspace_id and t.id = page.id
     ) shown on true
     order by shown.page_id`,
    'long',
  )
}
