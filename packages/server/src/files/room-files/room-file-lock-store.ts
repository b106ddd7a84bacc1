import { mayLockForSql } from '../../database/locks.ts'
import { write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { roomById, type RoomRow } from '../../rooms/room-store.ts'
import { levelInSql, asViewer, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { visibleFileForChange, type LockedFile } from '../file-store.ts'
import { fileLevelSql, roomsOfFileSql } from '../file-visibility-store.ts'
import {
  placeOf,
  roomFileWithRoom,
  visibleRoomFileSql,
  type Place,
  type RoomFileRow,
  type RoomOfFile,
} from './room-file-store.ts'

/**
 * Locks the Room and the File of a RoomFile that the viewer can see, so that other changes of either wait; the parent of the
 * Room is locked shared, so that it cannot be archived meanwhile. Visibility is read again under the locks. A RoomFile that
 * the viewer cannot see locks nothing: the delay would reveal that it exists. `seal` identifies the standing that the
 * transaction has checked; for another standing nothing is locked.
 */
export async function lockRoomFile(
  tx: Transaction,
  viewer: Viewer,
  room_file_id: string,
  seal: string,
): Promise<(RoomFileRow & { room: RoomOfFile }) | undefined> {
  const [locked, room_file] = await Promise.all([
    tx.run(visibleRoomFileLock, { ...asViewer(viewer), room_file_id, seal }),
    roomFileWithRoom(tx, viewer, room_file_id),
  ])
  // It may have become visible only after the locking statement, and is then not locked.
  return locked.length > 0 ? room_file : undefined
}

/** A locked Room and a locked File, each undefined if the viewer cannot see it, and the place of the File in the Room. */
export interface RoomAndFile {
  room: RoomRow | undefined
  file: LockedFile | undefined
  place: Place | undefined
}

/**
 * Locks a Room and a File that the viewer can see, to attach one to the other. All Rooms are locked before the File and in the
 * order of their ids, those from which the viewer has a level on the File included, so that two such changes cannot wait for
 * each other. Of the two, what the viewer cannot see is not locked.
 */
export async function lockRoomAndFile(
  tx: Transaction,
  viewer: Viewer,
  named: { room_id: string; file_id: string },
  seal: string,
): Promise<RoomAndFile> {
  const { room_id, file_id } = named
  const [[locked], room, file, place] = await Promise.all([
    tx.run(roomAndFileLock, { ...asViewer(viewer), room_id, seal, file_id }),
    roomById(tx, viewer, room_id),
    tx.one(visibleFileForChange, { ...asViewer(viewer), file_id }),
    placeOf(tx, viewer, named),
  ])
  return { place, room: locked?.room ? room : undefined, file: locked?.file ? file : undefined }
}

const lockRoomsSql = `rooms_locked as materialized (
     select case when alone then pg_advisory_xact_lock(lock_number('room', :workspace_id, id))
       else pg_advisory_xact_lock_shared(lock_number('room', :workspace_id, id)) end
     from room
   )`

const visibleRoomFileLock = write<{ file_id: string }>(
  'room_file_visible_lock',
  `with named as materialized (
     select rf.file_id, r.id as room_id, r.parent_id from ${visibleRoomFileSql} and ${mayLockForSql(':seal::text')}
   ), room as materialized (
     select one.* from (
       select room_id as id, true as alone from named union all select parent_id, false from named where parent_id is not null
     ) one order by alone
   ), ${lockRoomsSql}
   select file_id, pg_advisory_xact_lock(lock_number('file', :workspace_id, file_id)) from named
   where (select count(*) from rooms_locked) > 0`,
)

const roomAndFileLock = write<{ room: boolean; file: boolean }>(
  'room_and_file_visible_lock',
  `with target as materialized (
     select r.id, r.parent_id from rooms r
     where r.workspace_id = :workspace_id and r.id = :room_id and ${mayLockForSql(':seal::text')} and ${levelInSql('r')} is not null
   ), named as materialized (
     select f.* from files f
     where f.workspace_id = :workspace_id and f.id = :file_id and ${mayLockForSql(':seal::text')} and ${fileLevelSql('f')} is not null
   ), room as materialized (
     select id, bool_or(alone) as alone from (
       select id, true as alone from target
       union all select parent_id, false from target where parent_id is not null
       union all select rf.room_id, false from named f cross join lateral (select rf.room_id from ${roomsOfFileSql('f')}) rf
     ) one group by id order by id
   ), ${lockRoomsSql}, file_locked as materialized (
     select pg_advisory_xact_lock(lock_number('file', :workspace_id, id)) from named where (select count(*) from rooms_locked) >= 0
   )
   select (select count(*) from rooms_locked) >= 0 and exists (select from target) as room,
     (select count(*) from file_locked) > 0 as file`,
)
