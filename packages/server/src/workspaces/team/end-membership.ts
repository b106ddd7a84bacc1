import type { AuditEventDraft } from '@wbs/contract/events'
import type { Transaction } from '../../database/connections/writer.ts'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import { lockApiKeysOfMember, revokeApiKeysOf, type KeyOfMember } from '../api-keys/api-key-store.ts'
import { keySubject } from '../api-keys/api-key-view.ts'
import { openMember } from './team-access.ts'
import { saveMember, type MemberRow } from './team-store.ts'
import { aboutMember, memberSubject, presentMember } from './team-view.ts'

/** Locks a member as `openMember` does, and their API keys. */
export async function openMemberToEnd(tx: Transaction, workspace_id: string, membership_id: string) {
  const [opened, keys] = await Promise.all([
    openMember(tx, workspace_id, membership_id),
    lockApiKeysOfMember(tx, workspace_id, membership_id),
  ])
  return { ...opened, keys }
}

/**
 * Ends a membership, and returns the outcome of the change. Revokes the API keys of the member, so that a forgotten key does
 * not become valid again if they return. Their access to Rooms, and the connections that they share, end at
 * once; the jobs record that in each Room.
 */
export function endMembership<Type extends 'member.removed' | 'member.left'>(
  tx: Transaction,
  { member, keys }: { member: MemberRow; keys: readonly KeyOfMember[] },
  type: Type,
  now: Date,
): {
  result: { data: ReturnType<typeof presentMember> }
  resource: { type: 'membership'; id: string }
  changed: string[]
  events: AuditEventDraft<Type | 'api_key.revoked'>[]
  jobs: JobDraft[]
} {
  const { workspace_id, user_id } = member
  const ended = saveMember(tx, { ...member, status: 'removed' }, now)
  if (keys.length > 0) revokeApiKeysOf(tx, workspace_id, user_id)
  return {
    result: { data: presentMember(ended) },
    resource: { type: 'membership', id: ended.id },
    changed: ['status'],
    events: [
      { type, subject: memberSubject(ended), about: aboutMember(ended), data: { role: ended.role } },
      ...keys.map(key => ({ type: 'api_key.revoked' as const, subject: keySubject(key) })),
    ],
    jobs: [
      { kind: 'end_participation', data: { workspace_id, membership_id: ended.id } },
      { kind: 'end_connections', data: { workspace_id, user_id, room_id: null } },
    ],
  }
}
