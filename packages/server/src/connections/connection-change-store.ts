import { randomUUIDv7 } from 'node:crypto'
import type { ConnectionKind, ConnectionStatus } from '@wbs/contract/connections/connections'
import { write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { OpenedRoom } from '../rooms/room-store.ts'
import type { OpenedConnection } from './connection-access.ts'
import type { ConnectionRow, VisibleConnectionRow } from './connection-store.ts'

/** A connection to share. */
export interface NewConnection {
  kind: ConnectionKind
  plugin: string
  origin: string
  label: string
  config: Readonly<Record<string, unknown>>
  allowed_operations: readonly string[]
  requires_approval: readonly string[]
}

/** Who shares it, and on which basis it ends. */
export interface Sharer {
  user_id: string
  name: string | null
  email: string | null
  membership_id: string
  participant_id: string | null
}

/** Inserts a connection that is live. */
export function insertConnection(
  tx: Transaction,
  { workspace_id, room_id, access_level }: OpenedRoom<'edit'>,
  connection: NewConnection,
  sharer: Sharer,
  now: Date,
): VisibleConnectionRow {
  const connection_id = randomUUIDv7()
  const { kind, plugin, origin, label, config, allowed_operations, requires_approval } = connection
  const { user_id, name, email, membership_id, participant_id } = sharer
  tx.save(connectionInsert, {
    workspace_id,
    connection_id,
    room_id,
    kind,
    plugin,
    origin,
    label,
    config: JSON.stringify(config),
    allowed_operations,
    requires_approval,
    shared_by: user_id,
    membership_id,
    participant_id,
    now,
  })
  const at = now.toISOString()
  return {
    ...connection,
    workspace_id,
    connection_id,
    room_id,
    access_level,
    status: 'live',
    saved_status: 'live',
    sharer_may_share: true,
    shared_by: user_id,
    sharer_name: name,
    sharer_email: email,
    membership_id,
    participant_id,
    shared_at: at,
    updated_at: at,
  }
}

/** Saves the status of a connection that was opened for a change. */
export function saveStatus<Row extends OpenedConnection>(
  tx: Transaction,
  connection: Row,
  status: ConnectionStatus,
  now: Date,
): Row {
  return saveStatusOfService(tx, connection, status, now)
}

/** The same for a change by the service itself, which holds the lock of the Room. */
export function saveStatusOfService<Row extends ConnectionRow>(
  tx: Transaction,
  connection: Row,
  status: ConnectionStatus,
  now: Date,
): Row {
  tx.save(connectionStatusSave, {
    workspace_id: connection.workspace_id,
    connection_id: connection.connection_id,
    status,
    now,
  })
  return { ...connection, status, saved_status: status, updated_at: now.toISOString() }
}

const connectionInsert = write(
  'connection_insert',
  `insert into room_connections (workspace_id, id, room_id, kind, plugin, origin, label, config, allowed_operations,
     requires_approval, shared_by, membership_id, participant_id, shared_at, updated_at)
   values (:workspace_id, :connection_id, :room_id, :kind, :plugin, :origin, :label, :config, :allowed_operations, :requires_approval, :shared_by, :membership_id, :participant_id, :now, :now)`,
)

const connectionStatusSave = write(
  'connection_status_save',
  'update room_connections set status = :status, updated_at = :now where workspace_id = :workspace_id and id = :connection_id',
)
