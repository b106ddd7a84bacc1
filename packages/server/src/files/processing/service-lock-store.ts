import { lockShared } from '../../database/locks.ts'
import { read, write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { roomIdsSql, versionSql, type VersionRow } from '../file-store.ts'
import type { Id } from '@wbs/contract/ids'

/** A File as the service itself changes it. */
export interface ServiceFile {
  workspace_id: string
  file_id: Id<'fil'>
  name: string
  revision: number
  updated_at: string
  current_version: VersionRow
  /** The Rooms that have it. */
  room_ids: string[]
}

/**
 * Locks a File for a change by the service itself, and the Rooms that have it shared, so that it is not attached, archived
 * or renamed meanwhile. Undefined if there is no such File.
 */
export async function lockFileOfService(
  tx: Transaction,
  workspace_id: string,
  file_id: string,
): Promise<ServiceFile | undefined> {
  const [, , file] = await Promise.all([
    lockShared(tx, workspace_id, [['workspace', '']]),
    tx.run(fileLock, { workspace_id, file_id }),
    tx.one(serviceFile, { workspace_id, file_id }),
  ])
  return file
}

const fileLock = write(
  'file_service_lock',
  `with room as materialized (
     select rf.room_id from room_files rf
     where rf.workspace_id = :workspace_id and rf.file_id = :file_id and rf.status <> 'archived' order by rf.room_id
   ), rooms_locked as materialized (
     select pg_advisory_xact_lock_shared(lock_number('room', :workspace_id, room_id)) from room
   )
   select pg_advisory_xact_lock(lock_number('file', :workspace_id, :file_id)) where (select count(*) from rooms_locked) >= 0`,
)

const serviceFile = read<ServiceFile>(
  'file_of_service',
  `select f.workspace_id, f.id as file_id, f.name, f.revision, f.updated_at, ${versionSql('v')} as current_version,
     ${roomIdsSql('f')} as room_ids
   from files f join file_versions v on v.workspace_id = :workspace_id and v.id = f.current_version_id
   where f.workspace_id = :workspace_id and f.id = :file_id`,
)
