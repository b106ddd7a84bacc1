// The floor's statements, written by hand for one kind of reader each. They share no SQL with the service, and they take for
// granted what the service has to find out: what kind of reader asks. $1 is the Workspace, $2 the reader.

const file = `f.id, f.business_id, f.name, f.description, f.classification, f.tags, f.origin, f.lifecycle, f.revision,
  f.created_at, f.updated_at, f.archived_at, v.id as version_id, v.number, v.content_type, v.size_bytes, v.sha256,
  v.processing_status, v.summary, v.created_at as version_created_at, v.ready_at`

const roomFile = `rf.id as room_file_id, rf.room_id, rf.index_path, rf.display_name, rf.access_mode, rf.status,
  rf.revision as room_file_revision, rf.attached_at, ${file}`

const withFile = `join files f on f.workspace_id = rf.workspace_id and f.id = rf.file_id
  join file_versions v on v.workspace_id = f.workspace_id and v.id = f.current_version_id`

const takesPart = `exists (select from room_participants part
  where part.workspace_id = $1 and part.room_id = $3 and part.user_id = $2 and part.status = 'active')`

/** A page of a Room's Files, $3, after a place, $4 and $5, and up to an index path, $6. */
const inOrder = (row: string, id: string) =>
  `(${row}.index_path, ${id}) > ($4, $5) and ${row}.index_path < $6 order by ${row}.index_path, ${id} limit 21`

const filesOfRoom = (condition: string) => `select rf.* from room_files rf
  where rf.workspace_id = $1 and rf.room_id = $3 and rf.status <> 'archived' and ${condition} and ${inOrder('rf', 'rf.id')}`

const permittedFiles = `select rf.* from room_file_permissions p
  join room_files rf on rf.workspace_id = p.workspace_id and rf.id = p.room_file_id
  where p.workspace_id = $1 and p.user_id = $2 and p.room_id = $3 and p.status = 'active' and rf.status <> 'archived'
    and rf.access_mode = 'restricted' and ${inOrder('p', 'p.room_file_id')}`

const pageOfRoom = (rows: string) =>
  `select ${roomFile} from (${rows}) rf ${withFile} where ${takesPart} order by rf.index_path, rf.id limit 21`

/** A page of Files by their ids, after $3. */
const pageOfFiles = (ids: string) => `select ${file}
  from (select distinct file_id from (${ids}) one order by file_id limit 21) rf
  join files f on f.workspace_id = $1 and f.id = rf.file_id
  join file_versions v on v.workspace_id = f.workspace_id and v.id = f.current_version_id
  order by f.id`

export const floorStatements = {
  room_files_of_manager: pageOfRoom(filesOfRoom('true')),
  room_files_of_everybody: pageOfRoom(filesOfRoom(`rf.access_mode = 'inherit_room'`)),
  room_files_permitted: pageOfRoom(permittedFiles),
  // Materialized, so that the permissions are read first, and not all Files in the order of their ids.
  files_permitted: `with permitted as materialized (
      select room_file_id from room_file_permissions where workspace_id = $1 and user_id = $2 and status = 'active')
    ${pageOfFiles(`select rf.file_id from permitted cross join lateral (
      select one.file_id from room_files one
      where one.workspace_id = $1 and one.id = permitted.room_file_id and one.status <> 'archived' offset 0) rf
      where rf.file_id > $3`)}`,
  files_of_own_rooms: pageOfFiles(`select rf.file_id from room_participants part cross join lateral (
      select one.file_id from room_files one
      where one.workspace_id = $1 and one.room_id = part.room_id and one.status <> 'archived'
        and (one.access_mode = 'inherit_room' or exists (
          select from room_file_permissions p
          where p.workspace_id = $1 and p.room_file_id = one.id and p.user_id = $2 and p.status = 'active'))
        and one.file_id > $3
      order by one.file_id limit 21) rf
    where part.workspace_id = $1 and part.user_id = $2 and part.status = 'active'`),
  files_of_workspace: `select ${file}
    from files f join file_versions v on v.workspace_id = f.workspace_id and v.id = f.current_version_id
    where f.workspace_id = $1 and f.id > $3 and $2::uuid is not null and exists (
      select from room_files rf join rooms r on r.workspace_id = $1 and r.id = rf.room_id and r.general_access = 'workspace'
      where rf.workspace_id = $1 and rf.file_id = f.id and rf.status <> 'archived' and rf.access_mode = 'inherit_room')
    order by f.id limit 21`,
  one_file: `select ${file}
    from files f join file_versions v on v.workspace_id = f.workspace_id and v.id = f.current_version_id
    where f.workspace_id = $1 and f.id = $3 and exists (
      select from room_files rf
      join room_participants part on part.workspace_id = $1 and part.room_id = rf.room_id and part.user_id = $2
        and part.status = 'active'
      where rf.workspace_id = $1 and rf.file_id = f.id and rf.status <> 'archived' and (
        rf.access_mode = 'inherit_room' or part.access_level = 'full_access' or exists (
          select from room_file_permissions p
          where p.workspace_id = $1 and p.room_file_id = rf.id and p.user_id = $2 and p.status = 'active')))`,
}
