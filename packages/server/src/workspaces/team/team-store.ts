import type { Role } from '@wbs/contract/scopes'
import { lockExclusive, lockShared } from '../../database/locks.ts'
import { read, updateRevision, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { MembershipRow, WorkspaceRow } from '../workspace-store.ts'

/** An active member, with what is stored of the person. */
export interface MemberRow extends MembershipRow {
  name: string | null
  email: string | null
  revision: number
  updated_at: string
}

export const memberById = (reader: Reader, workspace_id: string, id: string) =>
  reader.one(activeMemberById, { workspace_id, membership_id: id })

/** Whether there is or was a membership with this id. */
export async function wasEverMember(reader: Reader, workspace_id: string, id: string): Promise<boolean> {
  return (await reader.one(membershipById, { workspace_id, membership_id: id })) !== undefined
}

/** A page of the active members by id: those of one role, or all. */
export const membersPage = (
  reader: Reader,
  workspace_id: string,
  page: { role: Role | undefined; after: string | undefined; limit: number },
) => reader.many(membersOfWorkspace, { ...page, workspace_id })

/**
 * Locks a member for a change of their membership: waits until the changes that they are making have ended, and keeps them from
 * making others. Call it under the team lock, or two changes of each other can deadlock.
 */
export async function lockMember(
  tx: Transaction,
  workspace_id: string,
  id: string,
): Promise<MemberRow | undefined> {
  const [, [locked]] = await Promise.all([
    tx.run(memberLock, { workspace_id, membership_id: id }),
    tx.run(memberByIdLock, { workspace_id, membership_id: id }),
  ])
  return locked
}

/** Whether the Workspace has an owner other than this member. Call it under the team lock. */
export async function hasOtherOwner(tx: Transaction, workspace_id: string, id: string): Promise<boolean> {
  return (await tx.one(otherOwner, { workspace_id, membership_id: id })) !== undefined
}

/** Saves the role, permissions and status of a locked member as a new revision. */
export function saveMember(tx: Transaction, member: MemberRow, now: Date): MemberRow {
  const permissions = JSON.stringify(member.permissions)
  tx.save(memberSave, { ...member, membership_id: member.id, permissions, now })
  return { ...member, revision: member.revision + 1, updated_at: now.toISOString() }
}

/** Whether an active member has an email address, given the forms in which issuers may spell it. */
export async function isMemberByEmail(
  reader: Reader,
  workspace_id: string,
  spellings: readonly string[],
): Promise<boolean> {
  return (await reader.one(memberByEmail, { workspace_id, emails: spellings })) !== undefined
}

/** Whether a user has a membership that has not been removed. */
export async function isMember(reader: Reader, workspace_id: string, user_id: string): Promise<boolean> {
  return (await reader.one(memberByUser, { workspace_id, user_id })) !== undefined
}

/** Locks the team and reads its Workspace. Changes of who belongs to a Workspace run one after the other. */
export async function lockTeam(tx: Transaction, workspace_id: string): Promise<WorkspaceRow | undefined> {
  const [, , workspace] = await Promise.all([
    lockExclusive(tx, workspace_id, [['team', '']]),
    lockShared(tx, workspace_id, [['workspace', '']]),
    tx.one(workspaceOfTeam, { workspace_id }),
  ])
  return workspace
}

const memberColumns = `m.id, m.workspace_id, m.user_id, m.role, m.status, m.permissions, m.joined_at, m.created_at,
  m.revision, m.updated_at, u.name, u.email`

const memberByIdSql = `select ${memberColumns} from memberships m join users u on u.id = m.user_id
   where m.workspace_id = :workspace_id and m.id = :membership_id and m.status = 'active'`

const activeMemberById = read<MemberRow>('member_by_id', memberByIdSql)
const membershipById = read<{ id: string }>(
  'membership_by_id',
  'select id from memberships where workspace_id = :workspace_id and id = :membership_id',
)
const memberLock = write(
  'member_lock',
  `select pg_advisory_xact_lock(lock_number('member', workspace_id, user_id::text)) from memberships
   where workspace_id = :workspace_id and id = :membership_id and status = 'active'`,
)
const memberByIdLock = write<MemberRow>('member_by_id_lock', `${memberByIdSql} for update of m`)

const membersOfWorkspace = read<MemberRow>(
  'members_page',
  `select ${memberColumns} from memberships m join users u on u.id = m.user_id
   where m.workspace_id = :workspace_id and m.status = 'active' and (:role::text is null or m.role = :role)
     and (:after::uuid is null or m.id > :after)
   order by m.id limit :limit`,
  'long',
)

const otherOwner = read<{ id: string }>(
  'owner_other',
  `select id from memberships
   where workspace_id = :workspace_id and role = 'owner' and status = 'active' and id <> :membership_id limit 1`,
)

const memberSave = updateRevision(
  'member_save',
  `update memberships
   set role = :role, permissions = :permissions, status = :status, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :membership_id and revision = :revision`,
)

const memberByEmail = read<{ id: string }>(
  'member_by_email',
  `select m.id from memberships m join users u on u.id = m.user_id
   where m.workspace_id = :workspace_id and m.status = 'active' and lower(u.email) = any (:emails::text[]) limit 1`,
)

const memberByUser = read<{ id: string }>(
  'member_by_user',
  `select id from memberships where workspace_id = :workspace_id and user_id = :user_id and status <> 'removed'`,
)

const workspaceOfTeam = read<WorkspaceRow>(
  'workspace_of_team',
  `select id, name, workspace_type, status, metadata, revision, created_at, updated_at
   from workspaces where id = :workspace_id`,
)
