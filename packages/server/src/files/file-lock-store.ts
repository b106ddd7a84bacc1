import { mayLockForSql } from '../database/locks.ts'
import { write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import { fileLevelSql, roomsOfFileSql } from './file-visibility-store.ts'
import { visibleFileForChange, type LockedFile } from './file-store.ts'

/**
 * Locks a File that the viewer can see, so that other changes of it wait. The Rooms from which the viewer has a level on it
 * are locked shared, so that none of these levels can be taken away meanwhile. Visibility is read again under the locks. A
 * File that the viewer cannot see is not locked: the delay would reveal that it exists. `seal` identifies the standing that
 * the transaction has checked; for another standing nothing is locked.
 */
export async function lockFile(
  tx: Transaction,
  viewer: Viewer,
  file_id: string,
  seal: string,
): Promise<LockedFile | undefined> {
  const [locked, file] = await Promise.all([
    tx.run(visibleFileLock, { ...asViewer(viewer), file_id, seal }),
    tx.one(visibleFileForChange, { ...asViewer(viewer), file_id }),
  ])
  // The File may have become visible only after the locking statement, and is then not locked.
  return locked.length > 0 ? file : undefined
}

const visibleFileLock = write(
  'file_visible_lock',
  `with named as materialized (
     select f.* from files f
     where f.workspace_id = :workspace_id and f.id = :file_id and ${mayLockForSql(':seal::text')} and ${fileLevelSql('f')} is not null
   ), room as materialized (
     select rf.room_id from named f cross join lateral (select rf.room_id from ${roomsOfFileSql('f')}) rf order by rf.room_id
   ), rooms_locked as materialized (
     select pg_advisory_xact_lock_shared(lock_number('room', :workspace_id, room_id)) from room
   )
   select pg_advisory_xact_lock(lock_number('file', workspace_id, id)) from named where (select count(*) from rooms_locked) >= 0`,
)
