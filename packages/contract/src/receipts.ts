import { Type as T, type Static } from 'typebox'
import { component, dateTime, nullable, open, openSet, uuid } from './schema.ts'

/** How an operation hands out its receipt. The keys differ between resources; that is the interface, not an accident. */
export interface ReceiptShape {
  /** The key of the answer that holds the receipt. */
  key: 'action_receipt' | 'receipt'
  /** The key of the receipt that holds the operation's name. */
  names: readonly ('operation' | 'action')[]
}

/** The receipt of most resources. */
export const operationReceipt = {
  key: 'action_receipt',
  names: ['operation'],
} as const satisfies ReceiptShape

/** The receipt of Rooms, and of what is under them. */
export const roomReceipt = { key: 'action_receipt', names: ['action'] } as const satisfies ReceiptShape

/** What receipts are about. */
export const resourceTypes = [
  'workspace',
  'membership',
  'team_invitation',
  'api_key',
  'business',
  'business_link',
  'observation',
  'room',
  'participant',
] as const
export type ResourceType = (typeof resourceTypes)[number]

/** Who did something, and what acted for them. */
export const ActorRecord = component(
  'Actor',
  open({
    type: openSet(['person', 'system']),
    user_id: nullable(uuid()),
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
    changed: T.Array(T.String()),
  }),
)

/** A receipt as an answer carries it. */
export type ActionReceipt = Static<typeof Receipt>
