import type { ConnectionStatus } from '@wbs/contract/connections/connections'
import type { Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import { hasPermissionsSql, scopeArraySql } from '../call/authority/permissions.ts'
import { read, write, type Reader } from '../database/statement.ts'
import { mayLockForSql } from '../database/locks.ts'
import type { Transaction } from '../database/connections/writer.ts'
import { basisLastsSql } from '../rooms/visibility/basis-store.ts'
import { isKnownPersonSql, masksGuestsSql } from '../rooms/visibility/masked-people-store.ts'
import { lockPlaceSql } from '../rooms/visibility/place-lock-store.ts'
import { levelInSql, levelRowSql, asViewer, type Viewer } from '../rooms/visibility/room-visibility-store.ts'
import type { Connection } from './connection.ts'

/** A shared connection. Its status is the one that counts now, not always the one that was saved. */
export interface ConnectionRow extends Connection {
  workspace_id: string
  connection_id: string
  room_id: Id<'rom'>
  origin: string
  label: string
  config: Readonly<Record<string, unknown>>
  sharer_email: string | null
  sharer_name: string | null
  /** The membership with which it was shared, and the participation in the Room, if there was one. */
  membership_id: string
  participant_id: string | null
  shared_at: string
  updated_at: string
}

/** A shared connection that a viewer can see, with their level in its Room. */
export interface VisibleConnectionRow extends ConnectionRow {
  access_level: AccessLevel
}

/** Names a shared connection, as the path of an operation does. */
export interface ConnectionKey {
  room_id: string
  connection_id: string
}

/** A shared connection in a Room that the viewer can see. */
export const connectionInRoom = (
  reader: Reader,
  viewer: Viewer,
  { room_id, connection_id }: ConnectionKey,
): Promise<VisibleConnectionRow | undefined> =>
  reader.one(visibleConnection, { ...asViewer(viewer), room_id, connection_id })

/** A shared connection in any Room that the viewer can see. */
export const connectionById = (
  reader: Reader,
  viewer: Viewer,
  connection_id: string,
): Promise<VisibleConnectionRow | undefined> =>
  reader.one(visibleConnection, { ...asViewer(viewer), room_id: null, connection_id })

/** A shared connection, for a change by the service itself. */
export const connectionOfService = (
  reader: Reader,
  workspace_id: string,
  connection_id: string,
): Promise<ConnectionRow | undefined> => reader.one(anyConnection, { workspace_id, connection_id })

/** A page of the connections of a Room that the viewer can see, by id. */
export const connectionsPage = (
  reader: Reader,
  viewer: Viewer,
  room_id: string,
  { status, after, limit }: { status: ConnectionStatus | null; after: string | null; limit: number },
): Promise<VisibleConnectionRow[]> =>
  reader.many(visibleConnections, { ...asViewer(viewer), room_id, status, after, limit })

/** How many connections of a Room are not stopped. */
export async function countConnections(
  reader: Reader,
  { workspace_id, room_id }: { workspace_id: string; room_id: string },
): Promise<number> {
  return (await reader.one(connectionCount, { workspace_id, room_id }))?.count ?? 0
}

/**
 * Locks the Room of a connection shared, if the viewer can see both, and reads the connection under the lock. Undefined if
 * they cannot. Its status cannot change until the transaction ends, unless the sharer loses what they may do.
 */
export async function lockRoomOfConnection(
  tx: Transaction,
  viewer: Viewer,
  key: ConnectionKey,
  seal: string,
): Promise<VisibleConnectionRow | undefined> {
  const [locked, connection] = await Promise.all([
    tx.run(roomOfConnectionLock, {
      ...asViewer(viewer),
      room_id: key.room_id,
      connection_id: key.connection_id,
      seal,
    }),
    connectionInRoom(tx, viewer, key),
  ])
  return locked.length > 0 ? connection : undefined
}

/** The sharer of the row `c` as a viewer; `held` is their membership, without columns if it has ended. */
export const sharerSql = {
  user_id: 'c.shared_by',
  is_member: '(held.role is not null)',
  reads_businesses: `(held.role is not null and ${hasPermissionsSql('held', scopeArraySql(['businesses:read']))})`,
}

/**
 * Joins to the row `c`, in the Room `r`, whether the membership and participation with which it was shared last, and whether its
 * sharer may share it now. Neither is looked up for a connection that was stopped.
 *
 * `offset 0` has each of the two computed once for each row: otherwise it is computed again wherever it is named.
 */
export const joinSharerSql = `join users u on u.id = c.shared_by
  left join lateral (
    select m.role, m.permissions from memberships m
    where m.workspace_id = :workspace_id and m.id = c.membership_id and m.user_id = c.shared_by and m.status = 'active'
  ) held on true
  cross join lateral (
    select c.status <> 'stopped' and held.role is not null and ${basisLastsSql('c')} as lasts offset 0
  ) basis
  cross join lateral (
    select case when basis.lasts then ${hasPermissionsSql('held', scopeArraySql(['connections:share']))}
      and coalesce(${levelInSql('r', sharerSql)} >= 'edit', false) else false end as may_share offset 0
  ) sharer`

export const connectionStatusSql = `case when not basis.lasts then 'stopped' when not sharer.may_share then 'paused' else c.status end`

/** The columns of a ConnectionRow from the row `c`, with the joins above. */
export const connectionColumnsSql = `c.workspace_id, c.id as connection_id, c.room_id, c.kind, c.plugin, c.origin, c.label, c.config,
  c.allowed_operations, c.requires_approval, ${connectionStatusSql} as status, c.status as saved_status,
  sharer.may_share as sharer_may_share, c.shared_by, u.email as sharer_email, u.name as sharer_name, c.membership_id,
  c.participant_id, c.shared_at, c.updated_at`

const visibleSql = `from rooms r
  cross join lateral ${levelRowSql('r')} as v (access_level)
  join room_connections c on c.workspace_id = :workspace_id and c.room_id = r.id`

/** A Room that masks guests shows them the connections of members only: a former member may be another guest now. */
const isVisibleSql = `r.workspace_id = :workspace_id and v.access_level is not null
  and (:is_member::boolean or not ${masksGuestsSql('r', 'v.access_level')} or ${isKnownPersonSql('c.shared_by', ':viewer_id::uuid')})`

/** `:room_id` may be null, for a connection in any Room. */
const isNamedSql = `c.id = :connection_id and (:room_id::text is null or c.room_id = :room_id)
  and r.id = (select named.room_id from room_connections named where named.workspace_id = :workspace_id and named.id = :connection_id)`

const visibleConnection = read<VisibleConnectionRow>(
  'connection_visible',
  `select ${connectionColumnsSql}, v.access_level ${visibleSql} ${joinSharerSql} where ${isVisibleSql} and ${isNamedSql}`,
)

const anyConnection = read<ConnectionRow>(
  'connection_of_service',
  `select ${connectionColumnsSql} from room_connections c join rooms r on r.workspace_id = :workspace_id and r.id = c.room_id ${joinSharerSql}
   where c.workspace_id = :workspace_id and c.id = :connection_id`,
)

const visibleConnections = read<VisibleConnectionRow>(
  'connections_visible',
  `select ${connectionColumnsSql}, v.access_level ${visibleSql} ${joinSharerSql}
   where ${isVisibleSql} and r.id = :room_id and (:after::uuid is null or c.id > :after)
     and (:status::text is null or :status = 'stopped' or c.status <> 'stopped') and (:status is null or ${connectionStatusSql} = :status)
   order by c.id limit :limit`,
  'long',
)

const connectionCount = read<{ count: number }>(
  'connections_count',
  `select count(*)::integer as count
   from room_connections c join rooms r on r.workspace_id = :workspace_id and r.id = c.room_id ${joinSharerSql}
   where c.workspace_id = :workspace_id and c.room_id = :room_id and c.status <> 'stopped' and basis.lasts`,
)

const roomOfConnectionLock = write(
  'connection_room_lock',
  `with named as materialized (
     select c.id, c.room_id ${visibleSql} where ${isVisibleSql} and ${isNamedSql} and ${mayLockForSql(':seal::text')}
   ), ${lockPlaceSql}
   select from named where (select count(*) from room_locked) > 0`,
)
