import { T } from '../json/type.ts'
import { activity } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { roomReceipt } from '../receipts.ts'
import { RoomId } from '../rooms/rooms.ts'
import {
  component,
  dateTime,
  lineOfText,
  nullable,
  oneOf,
  open,
  openSet,
  uuid,
  uuidCursor,
} from '../schema.ts'
import { stateMachine } from '../state-machine.ts'

export const connectionStatuses = ['live', 'paused', 'stopped', 'error'] as const

export type ConnectionStatus = (typeof connectionStatuses)[number]

export const connectionMachine = stateMachine(connectionStatuses, 'live', {
  read: { live: 'live' },
  request: { live: 'live' },
  pause: { live: 'paused' },
  resume: { paused: 'live' },
  stop: { live: 'stopped', paused: 'stopped', error: 'stopped' },
  fail: { live: 'error' },
  reconnect: { error: 'live' },
})

export const connectionKinds = ['app', 'agent', 'source'] as const

export type ConnectionKind = (typeof connectionKinds)[number]

export const SharedConnection = component(
  'SharedConnection',
  open({
    connection_id: uuid(),
    room_id: RoomId,
    kind: openSet(connectionKinds),
    plugin: T.String({ description: 'The plugin that reaches the app, such as http_json.' }),
    origin: T.String({ description: 'Where the app is, such as https://api.example.com.' }),
    label: T.String(),
    status: openSet(connectionStatuses),
    shared_by: open({ id: uuid('The ID of the user who shares it.'), name: nullable(T.String()) }),
    shared_at: dateTime(),
    mine: T.Boolean({ description: 'Whether you share it.' }),
    can_stop: T.Boolean({ description: 'Whether you may stop it.' }),
    allowed_operations: T.Array(T.String(), { description: 'The operations of the plugin that it allows.' }),
    requires_approval: T.Array(T.String(), {
      description: 'Those of them that run only after the sharer or a Room manager has approved.',
    }),
  }),
)

const Operation = T.Unsafe<string>({
  type: 'string',
  pattern: '^[a-z][a-z0-9_]{0,49}$',
  description: 'The name of an operation of the plugin.',
  examples: ['get'],
})

const operationList = (minItems: number, example: string[], description: string) =>
  T.Array(Operation, { minItems, maxItems: 50, uniqueItems: true, description, examples: [example] })

/** An operation of the plugin with its arguments. */
export const asked = {
  operation: Operation,
  arguments: T.Unsafe<Record<string, unknown>>({
    type: 'object',
    description:
      'The arguments of the operation, as its plugin defines them. As canonical JSON (RFC 8785) at most 64 KiB.',
    examples: [{ path: '/orders', query: { status: 'open' } }],
  }),
}

export const connectionPath = {
  room_id: RoomId,
  connection_id: uuid('The ID of the shared connection.'),
}

export const connectionTag = { tag: 'Shared connections', audience: 'workspace', guests: true } as const

/** What every change of a shared connection declares. */
const changing = {
  ...connectionTag,
  scope: 'connections:use',
  receipt: roomReceipt,
  output: { data: SharedConnection },
  input: connectionPath,
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict'],
} as const

/** The types of its events, and the feed that shows each. */
export const connectionEvents = {
  'connection.shared': activity({ kind: openSet(connectionKinds), plugin: T.String(), origin: T.String() }),
  'connection.read': activity({ operation: T.String({ description: 'What was called.' }) }),
  'connection.paused': activity(),
  'connection.resumed': activity(),
  'connection.stopped': activity(),
  'connection.failed': activity(),
  'connection.reconnected': activity(),
} as const

export const listConnections = query('list_connections', {
  ...connectionTag,
  scope: 'connections:read',
  http: 'GET /v1/rooms/{room_id}/connections',
  summary: 'List the shared connections of a Room.',
  description: 'Sorted by ID. Those that were stopped are in the list too.',
  input: {
    room_id: RoomId,
    status: T.Optional(oneOf(connectionStatuses, 'Only connections with this status.')),
    cursor: T.Optional(uuidCursor()),
    limit: T.Optional(pageLimit),
  },
  output: listOf(SharedConnection),
  problems: ['not_found'],
})

export const shareConnection = mutation('share_connection', {
  ...changing,
  scope: 'connections:share',
  http: 'POST /v1/rooms/{room_id}/connections',
  summary: 'Share a connection to an app with a Room.',
  description:
    'Requires edit access to the Room and the access token of a person: an API key cannot share. Send either source_connection_id, to share a connection of yours from another Room of the Workspace, or kind, plugin, label and config. The connection ends when you leave the Workspace or your participation in the Room ends; while you have less than edit access to the Room, or not the permission to share, it is paused. A Room can have at most 50 connections that are not stopped.',
  input: {
    room_id: RoomId,
    source_connection_id: T.Optional(uuid('A connection that you share with another Room.')),
    kind: T.Optional(
      T.Unsafe<ConnectionKind>({ ...oneOf(connectionKinds, 'What is connected.'), examples: ['source'] }),
    ),
    plugin: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: '^[a-z][a-z0-9_]{0,49}$',
        description: 'The plugin that reaches the app.',
        examples: ['http_json'],
      }),
    ),
    label: T.Optional(
      lineOfText(100, { description: 'What the Room calls it.', example: 'Orders of Glacier Tooling' }),
    ),
    config: T.Optional(
      T.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'The settings of the plugin. For http_json: base_url.',
        examples: [{ base_url: 'https://api.example.com/v2' }],
      }),
    ),
    allowed_operations: operationList(1, ['get', 'post'], 'The operations that the connection allows.'),
    requires_approval: T.Optional(
      operationList(
        0,
        ['post'],
        'Those of allowed_operations that run only after approval. By default all that may change something.',
      ),
    ),
  },
  rules: [
    { rule: 'some', fields: ['source_connection_id', 'plugin'] },
    { rule: 'exclusive', fields: ['source_connection_id', 'plugin'] },
    { rule: 'exclusive', fields: ['source_connection_id', 'kind'] },
    { rule: 'exclusive', fields: ['source_connection_id', 'config'] },
    { rule: 'requires', field: 'plugin', needs: 'kind' },
    { rule: 'requires', field: 'plugin', needs: 'label' },
    { rule: 'requires', field: 'plugin', needs: 'config' },
  ],
  status: 201,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'limit_reached'],
  emits: ['connection.shared'],
})

export const pauseConnection = mutation('pause_connection', {
  ...changing,
  http: 'POST /v1/rooms/{room_id}/connections/{connection_id}/pause',
  summary: 'Pause a shared connection.',
  description:
    'For the person who shares it, and for those with full access to the Room. Nobody can read it or request actions until it is resumed. Approvals that are pending keep waiting and still expire; one that is approved meanwhile waits for the resumption.',
  emits: ['connection.paused'],
})

export const resumeConnection = mutation('resume_connection', {
  ...changing,
  http: 'POST /v1/rooms/{room_id}/connections/{connection_id}/resume',
  summary: 'Resume a paused connection.',
  description:
    'For the person who shares it, and for those with full access to the Room. Actions that were approved meanwhile and have not expired are run. It is refused while the person who shares it has less than edit access to the Room. A connection that was paused because of that becomes live without a resumption; resuming it then runs the actions that wait, and is refused if none does.',
  emits: ['connection.resumed'],
})

export const stopConnection = mutation('stop_connection', {
  ...changing,
  http: 'POST /v1/rooms/{room_id}/connections/{connection_id}/stop',
  summary: 'Stop a shared connection for good.',
  description:
    'For the person who shares it, and for those with full access to the Room. Approvals that are pending or wait for the resumption are canceled.',
  emits: ['connection.stopped', 'approval.canceled'],
})

export const reconnectConnection = mutation('reconnect_connection', {
  ...changing,
  http: 'POST /v1/rooms/{room_id}/connections/{connection_id}/reconnect',
  summary: 'Make a connection live again whose app had refused access.',
  description:
    'For the person who shares it. Actions that were approved meanwhile and have not expired are run.',
  emits: ['connection.reconnected'],
})

export const readConnection = query('read_connection', {
  ...connectionTag,
  scope: 'connections:use',
  limits: ['read', 'run'],
  recorded: true,
  http: 'POST /v1/rooms/{room_id}/connections/{connection_id}/read',
  summary: 'Read from a shared connection.',
  description:
    'Runs an operation that changes nothing in the app and requires no approval. Everybody who can open the Room can read, while the connection is live. An event tells the Room and the person who shares the connection. No Idempotency-Key is needed. An operation that changes something or requires an approval is refused with forbidden: request it as an action. The app has ten seconds to answer.',
  input: { ...connectionPath, ...asked },
  output: {
    data: open({
      connection_id: uuid(),
      operation: T.String(),
      output: T.Unknown({ description: 'What the app answered, as the plugin gives it.' }),
      read_at: dateTime(),
    }),
  },
  problems: [
    'validation_error',
    'forbidden',
    'not_found',
    'state_conflict',
    'unprocessable_content',
    'unavailable',
  ],
})
