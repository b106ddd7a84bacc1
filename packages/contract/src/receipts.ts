import type { Static } from 'typebox'
import { T } from './json/type.ts'
import { component, dateTime, nullable, open, openSet, uuid } from './schema.ts'

/** Where an operation shows its receipt. The interface has different keys for different resources. */
export interface ReceiptShape {
  /** The key of the receipt in the answer. */
  key: 'action_receipt' | 'receipt'
  /** The keys of the receipt that hold the name of the operation. */
  names: readonly ('operation' | 'action')[]
}

/** The receipt of most operations. */
export const operationReceipt = {
  key: 'action_receipt',
  names: ['operation'],
} as const satisfies ReceiptShape

/** The receipt of operations under /v1/rooms. */
export const roomReceipt = { key: 'action_receipt', names: ['action'] } as const satisfies ReceiptShape

/** The receipt of changes of Goals, Tasks, approvals and valuations. */
export const changeReceipt = { key: 'receipt', names: ['operation'] } as const satisfies ReceiptShape

/** The receipt of operations under /v1/rooms that create Tasks or approvals. */
export const roomChangeReceipt = { key: 'receipt', names: ['action'] } as const satisfies ReceiptShape

/** The types of resources that a receipt may name. */
export const resourceTypes = [
  'workspace',
  'membership',
  'team_invitation',
  'api_key',
  'business',
  'business_link',
  'observation',
  'list',
  'list_column',
  'room',
  'participant',
  'file',
  'room_file',
  'room_file_permission',
  'goal',
  'task',
  'connection',
  'approval',
  'valuation',
  'portfolio',
  'asset',
  'benchmark_set',
] as const
export type ResourceType = (typeof resourceTypes)[number]

/** Who made a change, and the app, agent or API key that acted for them. */
export const ActorRecord = component(
  'Actor',
  open({
    type: openSet(['person', 'system']),
    user_id: nullable(uuid('Null for the system.')),
    name: nullable(T.String()),
    via: nullable(
      open({
        kind: openSet(['app', 'agent', 'api_key']),
        name: nullable(T.String()),
        client_id: nullable(uuid()),
      }),
    ),
  }),
)

export const Receipt = component(
  'ActionReceipt',
  open({
    receipt_id: uuid(),
    command_id: uuid(),
    workspace_id: uuid(),
    operation: T.Optional(T.String()),
    action: T.Optional(T.String()),
    occurred_at: dateTime(),
    actor: ActorRecord,
    resource: open({ type: openSet(resourceTypes), id: T.String() }),
    changed: T.Array(T.String(), { description: 'The names of the fields that changed.' }),
  }),
)

/** A receipt as it stands in an answer. */
export type ActionReceipt = Static<typeof Receipt>
