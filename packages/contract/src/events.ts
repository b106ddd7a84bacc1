/**
 * The types of events. `activity` ones are read in the Rooms' feed; `audit` ones record what concerns the Workspace
 * as a whole. Both have the same shape and share one order.
 */
export const eventTypes = {
  'workspace.created': { feed: 'audit' },
  'workspace.updated': { feed: 'audit' },
  'workspace.closed': { feed: 'audit' },
  'member.updated': { feed: 'audit' },
  'member.removed': { feed: 'audit' },
  'member.left': { feed: 'audit' },
  'ownership.transferred': { feed: 'audit' },
  'room.created': { feed: 'activity' },
  'room.updated': { feed: 'activity' },
  'room.access_changed': { feed: 'activity' },
  'room.archived': { feed: 'activity' },
  'room.restored': { feed: 'activity' },
  'participant.invited': { feed: 'activity' },
  'participant.joined': { feed: 'activity' },
  'participant.access_changed': { feed: 'activity' },
  'participant.revoked': { feed: 'activity' },
  'participant.declined': { feed: 'activity' },
  'participant.left': { feed: 'activity' },
  'participant.expired': { feed: 'activity' },
  'attachment.added': { feed: 'activity' },
  'attachment.removed': { feed: 'activity' },
  'business.updated': { feed: 'activity' },
  'api_key.created': { feed: 'audit' },
  'api_key.updated': { feed: 'audit' },
  'api_key.rotated': { feed: 'audit' },
  'api_key.revoked': { feed: 'audit' },
  'business.created': { feed: 'audit' },
  'business.facts_changed': { feed: 'audit' },
  'business.published': { feed: 'audit' },
  'business.withdrawn': { feed: 'audit' },
  'business.linked': { feed: 'audit' },
  'business.unlinked': { feed: 'audit' },
  'business.observation_recorded': { feed: 'audit' },
  'business.observation_retracted': { feed: 'audit' },
  'business.profile_changed': { feed: 'audit' },
  'team_invitation.created': { feed: 'audit' },
  'team_invitation.resent': { feed: 'audit' },
  'team_invitation.revoked': { feed: 'audit' },
  'team_invitation.accepted': { feed: 'audit' },
  'team_invitation.declined': { feed: 'audit' },
  'member.joined': { feed: 'audit' },
} as const satisfies Record<string, { feed: 'activity' | 'audit' }>
export type EventType = keyof typeof eventTypes

/**
 * Types of the Rooms' feed that nothing emits yet: those of resources to come. A filter may name them, so that a client
 * can be written for them; it finds nothing.
 */
export const typesToCome = [
  'room.exported',
  'room.terms_accepted',
  'file.created',
  'file.version_added',
  'file.ready',
  'file.failed',
  'file.updated',
  'file.archived',
  'file.restored',
  'file.added_to_room',
  'file.removed_from_room',
  'file.permission_set',
  'file.permission_revoked',
  'connection.shared',
  'connection.read',
  'connection.paused',
  'connection.resumed',
  'connection.stopped',
  'approval.requested',
  'approval.approved',
  'approval.declined',
  'approval.canceled',
  'approval.expired',
  'approval.executed',
  'approval.failed',
  'task.created',
  'task.assigned',
  'task.updated',
  'task.commented',
  'task.completed',
  'task.canceled',
  'task.reopened',
  'goal.created',
  'goal.updated',
  'goal.completed',
  'goal.canceled',
  'goal.reopened',
  'valuation.claimed',
  'valuation.completed',
  'valuation.failed',
  'valuation.superseded',
] as const

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
  /** Whom it concerns; who was invited, and has not answered, has no user_id yet. */
  about?: { user_id: string | null; email: string | null; name: string | null }
  room_id?: string
  data?: Record<string, unknown>
}
