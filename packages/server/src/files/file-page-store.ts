import { read, type Reader } from '../database/statement.ts'
import { hasRestrictedFilesSql, isOpenInRoomSql } from '../rooms/visibility/room-file-visibility-store.ts'
import { maybeVisibleRoomsSql, roomByIdSql } from '../rooms/visibility/visible-rooms-store.ts'
import { levelInSql, asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { fileColumnsSql, type FileRow } from './file-store.ts'
import { fileLevelSql } from './file-visibility-store.ts'

export interface FileFilter {
  business_id: string | undefined
  room_id: string | undefined
  classification: string | undefined
  tag: string | undefined
  lifecycle: string | undefined
  name: string | undefined
  processing_status: string | undefined
}

export interface FilesPage {
  files: FileRow[]
  /** The id after which the next page begins; null at the end. */
  cursor: string | null
}

/** How many candidates one page reads at most. Only past so many does the end of a page depend on hidden Files. */
const mostRead = 20_000

/** How many candidates one scan takes from each source at most. */
const mostCandidates = 5000

/**
 * How many Rooms of the viewer are searched for Files. With more, all Files of the Workspace are candidates. If 10,000 Rooms with
 * 200,000 Files were searched, a page would take 314,421 buffers instead of 666; if all Files were candidates for a guest of
 * three, 354,446 instead of 697.
 */
const mostRooms = 1000

/**
 * How many permissions of the viewer are searched for Files. With more, all Files of Rooms are candidates, the restricted
 * ones included, because many of them are visible.
 */
const mostPermissions = 1000

/** A page of the Files that the viewer can see, by id. It can be short or empty although there are more pages. */
export async function filesPage(
  reader: Reader,
  viewer: Viewer,
  filter: FileFilter,
  page: { after: string; limit: number },
): Promise<FilesPage> {
  const found: FileRow[] = []
  let { after } = page
  let left = mostRead
  // One File more than the page holds shows that there is a next page.
  for (let candidates = page.limit + 1; ; candidates = Math.min(candidates * 8, mostCandidates)) {
    const limit = page.limit + 1 - found.length
    const scan = await scanFiles(reader, viewer, filter, { after, limit, candidates })
    found.push(...scan.files)
    const files = found.slice(0, page.limit)
    if (found.length > page.limit) return { files, cursor: files.at(-1)?.file_id ?? null }
    if (scan.scanned_to === null) return { files, cursor: null }
    left -= candidates
    if (left <= 0) return { files, cursor: scan.scanned_to }
    after = scan.scanned_to
  }
}

interface Extent {
  /** The id to which all sources were read, hidden Files included; null if the scan reached the end. */
  scanned_to: string | null
}

type ScanRow = Extent & (FileRow | { [K in keyof FileRow]: null })

async function scanFiles(
  reader: Reader,
  viewer: Viewer,
  filter: FileFilter,
  range: { after: string; limit: number; candidates: number },
): Promise<Extent & { files: FileRow[] }> {
  const statement = filter.room_id ? filesOfRoom : filter.business_id ? filesOfBusiness : filesOfViewer
  const rows = await reader.many(statement, { ...filter, ...asViewer(viewer), ...range })
  return { scanned_to: rows[0]?.scanned_to ?? null, files: rows.flatMap(fileIn) }
}

/** The File of a row. The only row of an empty scan has none. */
function fileIn(row: ScanRow): FileRow[] {
  const { scanned_to: _, ...file } = row
  return file.file_id === null ? [] : [file]
}

/** The next ids of Files from one source. */
const idsFromSql = (source: string, rows: string, id: string) =>
  `(select ${source} as source, ${id} as id from ${rows} and ${id} > :after order by ${id} limit :candidates)`

/**
 * Reads the next candidates of each source and examines them in the order of their ids, up to the id to which all sources
 * were read. `offset 0` has each candidate read by its key: the plan is made without knowing how few they are, and a join may
 * read all Files. The second has the level computed once: without it, a page of 20 takes 1,046 buffers instead of 773.
 */
const scanStatement = (name: string, sources: string, first = '') =>
  read<ScanRow>(
    name,
    `with ${first} source as materialized (${sources}
     ), extent as materialized (
       select min(last) as scanned_to
       from (select max(id) as last from source group by source having count(*) = :candidates) cut_off
     ), candidate as materialized (
       select distinct id from source where id <= coalesce((select scanned_to from extent), '~') order by id
     ), page as materialized (
       select f.id, seen.access_level
       from candidate cross join lateral (
         select * from files one where one.workspace_id = :workspace_id and one.id = candidate.id offset 0
       ) f cross join lateral (select ${fileLevelSql('f')} as access_level offset 0) seen
       where (:room_id::text is null or exists (
           select from room_files rf
           where rf.workspace_id = :workspace_id and rf.room_id = :room_id and rf.file_id = f.id and rf.status <> 'archived'))
         and (:business_id::text is null or f.business_id = :business_id)
         and (:classification::text is null or f.classification = :classification)
         and (:tag::text is null or :tag = any (f.tags)) and (:lifecycle::text is null or f.lifecycle = :lifecycle)
         and (:name::text is null or position(lower(:name) in lower(f.name)) > 0)
         and (:processing_status::text is null or exists (
           select from file_versions v
           where v.workspace_id = :workspace_id and v.id = f.current_version_id and v.processing_status = :processing_status))
         and seen.access_level is not null
       order by candidate.id limit :limit
     )
     select extent.scanned_to, file.*
     from extent left join (
       select ${fileColumnsSql('page.access_level')}
       from page join files f on f.workspace_id = :workspace_id and f.id = page.id
     ) file on true
     order by file.file_id`,
    'long',
  )

const filesOfBusiness = scanStatement(
  'files_of_business',
  idsFromSql(
    `'business'`,
    'files f where f.workspace_id = :workspace_id and f.business_id = :business_id',
    'f.id',
  ),
)

/**
 * The Rooms to search, from the ids of `room`, and the viewer's permissions on their Files, unless there are too many. In a
 * Room with restricted Files that the viewer sees only by permission, `by_permission` says that the others are read alone.
 */
const searchedSql = (permissions: string, condition: string) => `
   permitted as materialized (
     select p.room_file_id from room_file_permissions p
     where p.workspace_id = :workspace_id and p.user_id = :viewer_id and p.status = 'active'${permissions} limit ${mostPermissions + 1}
   ), permissions_counted as materialized (select count(*) > ${mostPermissions} as too_many from permitted
   ), searched as materialized (
     select r.id, r.guest_files, r.participant_visibility, case when (select too_many from permissions_counted) or not ${hasRestrictedFilesSql('r')} then false
       else ${levelInSql('r')} is distinct from 'full_access' end as by_permission
     from room cross join lateral ${roomByIdSql('room.id', 'r')} where ${condition}
   ), `

// Without `offset 0`, the page of a guest of three Files among 200,000 takes 1,312 buffers instead of 697.
const filesInRoomsSql = [
  `(select in_room.source, in_room.id from searched cross join lateral ${idsFromSql(
    'searched.id',
    `room_files rf where rf.workspace_id = :workspace_id and rf.room_id = searched.id and rf.status <> 'archived'
       and (not searched.by_permission or ${isOpenInRoomSql('rf', 'searched', ':viewer_id')})`,
    'rf.file_id',
  )} in_room)`,
  idsFromSql(
    `'permitted'`,
    `permitted cross join lateral (
       select one.file_id from room_files one
       where one.workspace_id = :workspace_id and one.id = permitted.room_file_id and one.status <> 'archived' offset 0) rf
     where not (select too_many from permissions_counted)`,
    'rf.file_id',
  ),
]

const filesOfRoom = scanStatement(
  'files_of_room',
  filesInRoomsSql.join(' union all '),
  `room as materialized (select :room_id::text as id), ${searchedSql(' and p.room_id = :room_id', 'true')}`,
)

/** The Files of the viewer, those of Businesses, and those in Rooms: from each of the viewer's Rooms, or from all Files. */
const filesOfViewer = scanStatement(
  'files_of_viewer',
  [
    idsFromSql(
      `'own'`,
      // Lateral, because in a join the planner may read all Files in the order of their ids.
      `memberships held cross join lateral (
         select one.id from files one where one.workspace_id = :workspace_id and one.membership_id = held.id and one.id > :after
         order by one.id limit :candidates) f
       where held.workspace_id = :workspace_id and held.user_id = :viewer_id and held.status = 'active'`,
      'f.id',
    ),
    idsFromSql(
      `'business'`,
      'files f where f.workspace_id = :workspace_id and f.business_id is not null and :is_member::boolean and :reads_businesses::boolean',
      'f.id',
    ),
    ...filesInRoomsSql,
    idsFromSql(
      `'all'`,
      'files f where f.workspace_id = :workspace_id and (select too_many from rooms_counted)',
      'f.id',
    ),
  ].join(' union all '),
  `room as materialized (
     select distinct id from (${maybeVisibleRoomsSql({ after: `''`, limit: String(mostRooms + 1) })}) one
   ), rooms_counted as materialized (select count(*) > ${mostRooms} as too_many from room
   ), ${searchedSql('', 'not (select too_many from rooms_counted)')}`,
)
