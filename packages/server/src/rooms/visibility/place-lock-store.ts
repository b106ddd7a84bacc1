import { mayLockForSql, type Lockable } from '../../database/locks.ts'
import { write, type Statement } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { PlacedTable } from './givers-access.ts'
import { placeLevelSql } from './place-visibility-store.ts'
import { asViewer, type Viewer } from './room-visibility-store.ts'

/** Locks the Room of the row `named`, and its parent, shared: neither can be archived, and nobody can be removed from it meanwhile. */
export const lockPlaceSql = `
  room as materialized (
    select r.id, r.parent_id from named cross join lateral (
      select one.id, one.parent_id from rooms one where one.workspace_id = :workspace_id and one.id = named.room_id offset 0) r
  ), parent_locked as materialized (
    select pg_advisory_xact_lock_shared(lock_number('room', :workspace_id, parent_id)) from room where parent_id is not null
  ), room_locked as materialized (
    select pg_advisory_xact_lock_shared(lock_number('room', :workspace_id, id)) from room where (select count(*) from parent_locked) >= 0
  )`

/**
 * The statement that locks the row `:id`, if the viewer can see it, after its place. `:seal` is the seal of the standing that the
 * transaction has checked; for another standing nothing is locked. A row that the viewer cannot see is not locked: the delay
 * would reveal that it exists. Read the row again under the lock.
 */
export const visibleRowLock = (name: string, placed: PlacedTable, lock: Lockable) =>
  write(
    name,
    `with named as materialized (
       select t.id, t.room_id from ${placed.table} t
       where t.workspace_id = :workspace_id and t.id = :id and ${mayLockForSql(':seal::text')} and ${placeLevelSql('t', placed)} is not null
     ), ${lockPlaceSql}
     select pg_advisory_xact_lock(lock_number('${lock}', :workspace_id, id)) from named where (select count(*) from room_locked) >= 0`,
  )

/**
 * Locks a row that the viewer can see, by a statement of `visibleRowLock`, and then reads it: access may end while the lock is
 * waited for. Undefined if the viewer cannot see it.
 */
export async function lockVisibleRow<Row>(
  tx: Transaction,
  lock: Statement<unknown, 'write'>,
  { viewer, id, seal }: { viewer: Viewer; id: string; seal: string },
  readRow: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const [locked, found] = await Promise.all([tx.run(lock, { ...asViewer(viewer), id, seal }), readRow()])
  // It may have become visible only after the locking statement, and is then not locked.
  return locked.length > 0 ? found : undefined
}

/** The statement that locks the row `:id`, after its place, for a change by the service itself. */
export const rowLockOfService = (name: string, { table }: Pick<PlacedTable, 'table'>, lock: Lockable) =>
  write(
    name,
    `with named as materialized (
       select t.id, t.room_id from ${table} t where t.workspace_id = :workspace_id and t.id = :id
     ), ${lockPlaceSql}
     select pg_advisory_xact_lock(lock_number('${lock}', :workspace_id, id)) from named where (select count(*) from room_locked) >= 0`,
  )
