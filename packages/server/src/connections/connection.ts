import {
  connectionMachine,
  type ConnectionKind,
  type ConnectionStatus,
} from '@wbs/contract/connections/connections'
import type { InputError } from '@wbs/contract/problems'
import { includes, type AccessLevel } from '@wbs/contract/scopes'
import { requireMove } from '../call/state.ts'
import type { Refuse } from '../call/problem.ts'
import type { PluginFault, PluginOperation } from '../plugins/plugin.ts'

/** What the rules below need of a shared connection. */
export interface Connection {
  kind: ConnectionKind
  plugin: string
  /** The status that counts now: it depends on what the sharer may do. */
  status: ConnectionStatus
  /** The one that was saved. */
  saved_status: ConnectionStatus
  /** Whether the sharer has edit access to the Room and the permission to share now. Without it the connection is paused. */
  sharer_may_share: boolean
  shared_by: string
  allowed_operations: readonly string[]
  requires_approval: readonly string[]
}

/** How many connections that are not stopped a Room can have. */
export const mostConnections = 50

/** How large the arguments of an operation can be as canonical JSON, and its output, in bytes. */
export const mostBytes = 64 * 1024

/** Whether a user with this level in the Room may pause, resume and stop a connection. */
export const mayControl = (
  { shared_by }: Pick<Connection, 'shared_by'>,
  level: AccessLevel,
  user_id: string,
): boolean => shared_by === user_id || includes(level, 'full_access')

const details: Readonly<Record<ConnectionStatus, string>> = {
  live: 'The connection is live.',
  paused: 'The connection is paused. It can be used again once it is resumed.',
  stopped: 'The connection was stopped for good.',
  error: 'The app refuses the connection. Whoever shares it has to reconnect it.',
}

/** The status to which a move leads. Throws state_conflict if it is not possible from the status that counts now. */
export const moved = (
  move: keyof typeof connectionMachine.moves,
  { status }: Pick<Connection, 'status'>,
  refuse: Pick<Refuse<'state_conflict'>, 'state_conflict'>,
): ConnectionStatus => requireMove(connectionMachine, move, status, details[status], refuse)

/** Throws state_conflict while the sharer may not share: the connection stays paused as long. */
export function requireSharerMayShare(
  { status, sharer_may_share }: Pick<Connection, 'status' | 'sharer_may_share'>,
  refuse: Pick<Refuse<'state_conflict'>, 'state_conflict'>,
): void {
  if (!sharer_may_share)
    throw refuse.state_conflict(
      'The person who shares the connection has less than edit access to the Room, or may not share any more.',
      { current_status: status },
    )
}

/** What is wrong with the arguments of an operation, as errors of the body; empty if nothing is. */
export function argumentErrors(
  operation: Pick<PluginOperation, 'faultsOf'>,
  args: Readonly<Record<string, unknown>>,
): InputError[] {
  // The canonical form of RFC 8785 only has its keys in another order.
  if (Buffer.byteLength(JSON.stringify(args)) > mostBytes)
    return [errorAt('/arguments', 'The arguments can have at most 64 KiB as JSON.', 'too_long')]
  return operation.faultsOf(args).map(({ pointer, detail }) => errorAt(`/arguments${pointer}`, detail))
}

/** Faults of the settings of a plugin, as errors of the body. */
export const configErrors = (faults: readonly PluginFault[]): InputError[] =>
  faults.map(({ pointer, detail }) => errorAt(`/config${pointer}`, detail))

export const errorAt = (
  pointer: string,
  detail: string,
  code: InputError['code'] = 'format',
): InputError => ({ in: 'body', pointer, code, detail })
