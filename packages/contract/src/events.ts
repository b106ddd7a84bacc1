/**
 * The types of events. `activity` ones are read in the Rooms' feed; `audit` ones record what concerns the Workspace
 * as a whole. Both have the same shape and share one order.
 */
export const eventTypes = {
  'workspace.created': { feed: 'audit' },
} as const satisfies Record<string, { feed: 'activity' | 'audit' }>
export type EventType = keyof typeof eventTypes

/** Who did something: a person, and what acted for them; or the service itself. */
export interface Actor {
  type: 'person' | 'system'
  user_id: string | null
  name: string | null
  via: { kind: 'app' | 'agent' | 'api_key'; name: string | null; client_id: string | null } | null
}

/** What an operation says has happened. The pipeline adds id, time, actor and position. */
export interface EventDraft<Type extends EventType = EventType> {
  type: Type
  subject: { type: string; id: string; name: string | null }
  about?: { user_id: string; email: string | null; name: string | null }
  room_id?: string
  data?: Record<string, unknown>
}
