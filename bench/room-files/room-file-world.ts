import type pg from 'pg'

/** Files to insert, with numbers from `first` on, all attached to one Room. */
export interface Shelf {
  workspace_id: string
  room_id: string
  /** The user who made and attached them. */
  user_id: string
  first: number
  files: number
  access_mode: 'inherit_room' | 'restricted'
}

/** SQL: the id of the File, the version or the RoomFile with a number. */
const idOf = (prefix: 'fil' | 'fvr' | 'rfl', number: string) =>
  `'${prefix}_0' || lpad((${number})::text, 25, '0')`

/** Attaches so many ready Files to a Room by SQL, in 40 folders. The caller must run ANALYZE. */
export async function fillRoomWithFiles(
  client: pg.ClientBase | pg.Pool,
  { workspace_id, room_id, user_id, first, files, access_mode }: Shelf,
): Promise<void> {
  const range = `generate_series($3::integer, $3::integer + $4::integer - 1) i`
  const values = [workspace_id, user_id, first, files]
  // In one statement, because a File and its first version name each other.
  await client.query(
    `with file as (
       insert into files (workspace_id, id, name, classification, origin, current_version_id, created_by, created_at, updated_at)
       select $1, ${idOf('fil', 'i')}, 'File ' || i || '.pdf', 'financial', 'upload', ${idOf('fvr', 'i')}, $2, now(), now() from ${range}
     )
     insert into file_versions (workspace_id, id, file_id, number, content_type, size_bytes, sha256, processing_status, created_by, created_at, ready_at)
     select $1, ${idOf('fvr', 'i')}, ${idOf('fil', 'i')}, 1, 'application/pdf', 100000, lpad(i::text, 64, '0'), 'ready', $2, now(), now() from ${range}`,
    values,
  )
  await client.query(
    `insert into room_files (workspace_id, id, room_id, file_id, index_path, access_mode, status, attached_by, attached_at, updated_at)
     select $1, ${idOf('rfl', 'i')}, $5, ${idOf('fil', 'i')}, 'Folder ' || (i % 40) || '/File ' || lpad(i::text, 8, '0') || '.pdf', $6, 'active', $2, now(), now()
     from ${range}`,
    [...values, room_id, access_mode],
  )
}

/** Gives a participant of a Room a permission on so many of its restricted Files, evenly spaced. */
export const grantEvenly = (
  client: pg.ClientBase | pg.Pool,
  { workspace_id, room_id, user_id }: { workspace_id: string; room_id: string; user_id: string },
  permissions: number,
) =>
  client.query(
    `insert into room_file_permissions (workspace_id, id, room_file_id, room_id, index_path, user_id, access_level, participant_id, membership_id, granted_by, created_at, updated_at)
     select $1, gen_random_uuid(), rf.id, rf.room_id, rf.index_path, $3, 'view', part.id, part.membership_id, $3, now(), now()
     from (
       select *, row_number() over (order by index_path, id) - 1 as place, count(*) over () as files
       from room_files where workspace_id = $1 and room_id = $2 and access_mode = 'restricted'
     ) rf
     join room_participants part on part.workspace_id = $1 and part.room_id = $2 and part.user_id = $3 and part.status = 'active'
     where rf.place * $4::bigint / rf.files <> (rf.place - 1) * $4::bigint / rf.files or rf.place = 0`,
    [workspace_id, room_id, user_id, permissions],
  )
