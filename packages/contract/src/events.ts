import type { Static, TObject, TProperties } from 'typebox'
import { businessEvents } from './businesses/facts.ts'
import { observationEvents } from './businesses/observations.ts'
import { profileEvents } from './businesses/profiles.ts'
import { workspaceLinkEvents } from './businesses/workspace-links.ts'
import { approvalEvents } from './connections/approvals.ts'
import { connectionEvents } from './connections/connections.ts'
import type { EventDeclaration } from './event-declaration.ts'
import { fileEvents } from './files/files.ts'
import { roomFilePermissionEvents } from './files/room-file-permissions.ts'
import { roomFileEvents } from './files/room-files.ts'
import { goalEvents } from './goals/goals.ts'
import { listColumnEvents } from './lists/columns.ts'
import { listEvents } from './lists/lists.ts'
import { listOverrideEvents } from './lists/overrides.ts'
import { listValueEvents } from './lists/values.ts'
import { attachmentEvents } from './rooms/attachments.ts'
import { participantEvents } from './rooms/participants.ts'
import { roomEvents } from './rooms/rooms.ts'
import { taskEvents } from './tasks/task-schema.ts'
import { assetEvents } from './valuations/assets.ts'
import { benchmarkSetEvents } from './valuations/benchmark-sets.ts'
import { portfolioEvents } from './valuations/portfolios.ts'
import { valuationEvents } from './valuations/valuations.ts'
import { apiKeyEvents } from './workspaces/api-keys.ts'
import { teamInvitationEvents } from './workspaces/team-invitations.ts'
import { teamEvents } from './workspaces/team.ts'
import { workspaceEvents } from './workspaces/workspaces.ts'

/** Every type of event. All have the same shape, besides their further facts, and share one order. */
export const eventTypes = {
  ...workspaceEvents,
  ...teamEvents,
  ...teamInvitationEvents,
  ...apiKeyEvents,
  ...roomEvents,
  ...participantEvents,
  ...attachmentEvents,
  ...fileEvents,
  ...roomFileEvents,
  ...roomFilePermissionEvents,
  ...businessEvents,
  ...workspaceLinkEvents,
  ...observationEvents,
  ...profileEvents,
  ...listEvents,
  ...listColumnEvents,
  ...listOverrideEvents,
  ...listValueEvents,
  ...goalEvents,
  ...taskEvents,
  ...connectionEvents,
  ...approvalEvents,
  ...valuationEvents,
  ...portfolioEvents,
  ...assetEvents,
  ...benchmarkSetEvents,
} as const satisfies Record<string, EventDeclaration>
export type EventType = keyof typeof eventTypes

/**
 * Types of `activity` events that nothing emits yet, because their resources do not exist yet. A filter may name them, so
 * that clients can be written for them; it matches nothing.
 */
export const reservedEventTypes = ['room.exported', 'room.terms_accepted'] as const

/** Who made a change: a person, with the app, agent or API key that acted for them, or the service itself. */
export interface Actor {
  type: 'person' | 'system'
  user_id: string | null
  name: string | null
  via: { kind: 'app' | 'agent' | 'api_key'; name: string | null; client_id: string | null } | null
}

/** The types of events that the feed of a Room can have. */
export type ActivityType = {
  [Type in EventType]: (typeof eventTypes)[Type] extends { feed: 'audit' } ? never : Type
}[EventType]

/** An event as a handler returns it. The pipeline adds its id, time, actor and position. */
export type EventDraft<Type extends string = EventType> = Type extends EventType
  ? DraftOf<Type, (typeof eventTypes)[Type]>
  : CommonDraft<Type>

/** An event of the feed `activity` must name its Room. An event of the audit log may concern a Room too. */
type DraftOf<Type extends string, Declared extends EventDeclaration> = CommonDraft<Type> &
  (Declared extends { feed: 'activity' } ? { room_id: string } : { room_id?: string }) &
  FactsOf<Declared>

/** Only a type without further facts can leave `data` out. */
type FactsOf<Declared extends EventDeclaration> = Declared extends { data: infer Data extends TProperties }
  ? object extends Data
    ? { data?: Record<string, never> }
    : { data: Static<TObject<Data>> }
  : { data?: Record<string, unknown> }

/** An event of the audit log. Its further facts are not part of the interface. */
export interface AuditEventDraft<Type extends string> extends CommonDraft<Type> {
  room_id?: string
  data?: Record<string, unknown>
}

/** The further facts of a type as the last argument of a function. A type without facts has no such argument. */
export type FactsArgument<Type extends EventType, Known extends string = never> =
  EventDraft<Type> extends { data: infer Data }
    ? object extends Omit<Data, Known>
      ? [data?: Omit<Data, Known>]
      : [data: Omit<Data, Known>]
    : []

interface CommonDraft<Type extends string> {
  type: Type
  subject: { type: string; id: string; name: string | null }
  /** The person whom the event concerns. Before an invitation is accepted there is no user_id. */
  about?: { user_id: string | null; email: string | null; name: string | null }
}

/** The feed that shows an event. */
export const feedOf = ({ type, room_id }: Pick<EventDraft, 'type' | 'room_id'>): 'activity' | 'audit' => {
  const { feed } = eventTypes[type]
  if (feed === 'place') return room_id === undefined ? 'audit' : 'activity'
  return feed
}
