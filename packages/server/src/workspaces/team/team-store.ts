import type { Role } from '@wbs/contract/scopes'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { MembershipRow } from '../workspace-store.ts'

/** An active member, with what is remembered of the person. */
export interface MemberRow extends MembershipRow {
  name: string | null
  email: string | null
  revision: number
  updated_at: string
}

export const memberById = (reader: Reader, workspace_id: string, id: string) =>
  reader.one(memberByIdStatement, [workspace_id, id])

/** Whether somebody is or was a member under this id. */
export async function wasEverMember(reader: Reader, workspace_id: string, id: string): Promise<boolean> {
  return (await reader.one(membershipById, [workspace_id, id])) !== undefined
}

/** A page of the active members by id; of one role, perhaps. */
export const membersPage = (
  reader: Reader,
  workspace_id: string,
  page: { role: Role | undefined; after: string | undefined; limit: number },
) => reader.many(membersOfWorkspace, [workspace_id, page.role, page.after, page.limit])

/**
 * A member whose membership can be changed: every change that they make ends before, and none begins until this one has
 * ended. Only a change that locks the team may ask, or two that change each other would wait for each other.
 */
export async function lockMember(
  tx: Transaction,
  workspace_id: string,
  id: string,
): Promise<MemberRow | undefined> {
  const [, [locked]] = await Promise.all([
    tx.run(memberLock, [workspace_id, id]),
    tx.run(memberLocked, [workspace_id, id]),
  ])
  return locked
}

/** Whether somebody besides this member owns the Workspace. To be asked under the lock of the team. */
export async function hasOtherOwner(tx: Transaction, workspace_id: string, id: string): Promise<boolean> {
  return (await tx.one(otherOwner, [workspace_id, id])) !== undefined
}

/** Saves the role, permissions and status of a member that was locked, as a new revision. */
export function saveMember(tx: Transaction, member: MemberRow, now: Date): MemberRow {
  const { workspace_id, id, role, permissions, status, revision } = member
  tx.save(memberSave, [workspace_id, id, role, JSON.stringify(permissions), status, now])
  return { ...member, revision: revision + 1, updated_at: now.toISOString() }
}

const memberColumns = `m.id, m.workspace_id, m.user_id, m.role, m.status, m.permissions, m.joined_at, m.created_at,
  m.revision, m.updated_at, u.name, u.email`

const memberText = `select ${memberColumns} from memberships m join users u on u.id = m.user_id
   where m.workspace_id = $1 and m.id = $2 and m.status = 'active'`

const memberByIdStatement = read<MemberRow>('member_by_id', memberText)
const membershipById = read<{ id: string }>(
  'membership_by_id',
  'select id from memberships where workspace_id = $1 and id = $2',
)
const memberLock = write(
  'member_lock',
  `select pg_advisory_xact_lock(lock_number('member', workspace_id, user_id::text)) from memberships
   where workspace_id = $1 and id = $2 and status = 'active'`,
)
const memberLocked = write<MemberRow>('member_locked', `${memberText} for update of m`)

const membersOfWorkspace = read<MemberRow>(
  'members_page',
  `select ${memberColumns} from memberships m join users u on u.id = m.user_id
   where m.workspace_id = $1 and m.status = 'active' and ($2::text is null or m.role = $2) and ($3::uuid is null or m.id > $3)
   order by m.id limit $4`,
  'long',
)

const otherOwner = read<{ id: string }>(
  'owner_other',
  `select id from memberships where workspace_id = $1 and role = 'owner' and status = 'active' and id <> $2 limit 1`,
)

const memberSave = write(
  'member_save',
  `update memberships set role = $3, permissions = $4, status = $5, revision = revision + 1, updated_at = $6
   where workspace_id = $1 and id = $2`,
)
