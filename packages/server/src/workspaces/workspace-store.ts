import { randomUUIDv7 } from 'node:crypto'
import type { Role } from '@wbs/contract/scopes'
import type { SignedInCaller } from '../call/authority/caller.ts'
import { read, updateRevision, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'

export interface WorkspaceRow {
  id: string
  name: string
  workspace_type: 'personal' | 'team'
  status: 'active' | 'suspended' | 'closed'
  metadata: Record<string, unknown>
  storage_limit_bytes: number | null
  revision: number
  created_at: string
  updated_at: string
}

export interface MembershipRow {
  id: string
  workspace_id: string
  user_id: string
  role: Role
  status: 'invited' | 'active' | 'removed'
  permissions: Record<string, boolean>
  joined_at: string | null
  created_at: string
}

export type WorkspaceOfMember = WorkspaceRow & { role: Role }

/** A membership with the name and status of its Workspace. */
export type MembershipOfUser = MembershipRow & {
  workspace_name: string
  workspace_status: WorkspaceRow['status']
}

/**
 * Inserts an active team Workspace and the owner membership of its founder, and moves the transaction into it. The type of the
 * founder allows only a signed-in person.
 */
export function insertWorkspace(
  tx: Transaction,
  founder: SignedInCaller,
  name: string,
  now: Date,
): { workspace: WorkspaceRow; membership: MembershipRow } {
  const id = randomUUIDv7()
  tx.enter({ workspace_id: id, user_id: founder.user_id })
  saveUser(tx, founder)
  tx.save(workspaceInsert, { workspace_id: id, name, user_id: founder.user_id, now })
  const [created_at, updated_at] = [now.toISOString(), now.toISOString()]
  return {
    workspace: {
      id,
      name,
      workspace_type: 'team',
      status: 'active',
      metadata: {},
      storage_limit_bytes: null,
      revision: 1,
      created_at,
      updated_at,
    },
    membership: insertMember(tx, id, founder.user_id, 'owner', now),
  }
}

/** Saves what the access token says of a person. Mail is sent to the saved address, so it must be one that is verified. */
export function saveUser(tx: Transaction, user: SignedInCaller): void {
  const email = user.email_verified ? user.email : null
  tx.save(userSave, { ...user, email })
}

/** Makes a person an active member of a Workspace. The caller of this function checks that they may be. */
export function addMember(
  tx: Transaction,
  workspace_id: string,
  user: SignedInCaller,
  role: Role,
  now: Date,
): MembershipRow {
  saveUser(tx, user)
  return insertMember(tx, workspace_id, user.user_id, role, now)
}

function insertMember(
  tx: Transaction,
  workspace_id: string,
  user_id: string,
  role: Role,
  now: Date,
): MembershipRow {
  const id = randomUUIDv7()
  tx.save(membershipInsert, { workspace_id, membership_id: id, user_id, role, now })
  const [joined_at, created_at] = [now.toISOString(), now.toISOString()]
  return { id, workspace_id, user_id, role, status: 'active', permissions: {}, joined_at, created_at }
}

/** The Workspaces in which a person is an active member, by id, after a cursor. */
export const workspacesOfUser = (reader: Reader, user_id: string, after: string | null, limit: number) =>
  reader.many(workspacesByUser, { user_id, after, limit })

export const workspaceOfMember = (reader: Reader, workspace_id: string, user_id: string) =>
  reader.one(workspaceByMember, { workspace_id, user_id })

/** The active memberships of a person, including those in closed Workspaces. */
export const membershipsOfUser = (reader: Reader, user_id: string) =>
  reader.many(membershipsByUser, { user_id })

/** Locks a Workspace for a change of its own fields. */
export async function lockWorkspace(tx: Transaction, workspace_id: string): Promise<WorkspaceRow> {
  return (await tx.run(workspaceLock, { workspace_id }))[0] as WorkspaceRow
}

/** Saves the fields of a locked Workspace as a new revision. */
export function saveWorkspace(tx: Transaction, workspace: WorkspaceRow, now: Date): WorkspaceRow {
  const metadata = JSON.stringify(workspace.metadata)
  tx.save(workspaceSave, { ...workspace, workspace_id: workspace.id, metadata, now })
  return { ...workspace, revision: workspace.revision + 1, updated_at: now.toISOString() }
}

/** What is stored of a person, and their membership in one Workspace. */
export interface PersonInWorkspace {
  email: string | null
  name: string | null
  membership: MembershipOfUser | null
}

/** A person, with their active membership in a Workspace if they have one, even if it is closed. */
export async function personInWorkspace(
  reader: Reader,
  workspace_id: string,
  user_id: string,
): Promise<PersonInWorkspace | undefined> {
  const row = await reader.one(personByWorkspace, { workspace_id, user_id })
  if (!row) return undefined
  const { person_email, person_name, ...membership } = row
  return {
    email: person_email,
    name: person_name,
    membership: membership.id === null ? null : membership,
  }
}

type PersonRow = { person_email: string | null; person_name: string | null } & (
  | MembershipOfUser
  | { [Column in keyof MembershipOfUser]: null }
)

const workspaceColumns =
  'w.id, w.name, w.workspace_type, w.status, w.metadata, w.storage_limit_bytes::float8 as storage_limit_bytes, w.revision, w.created_at, w.updated_at'
const membershipColumns =
  'm.id, m.workspace_id, m.user_id, m.role, m.status, m.permissions, m.joined_at, m.created_at'

const membershipOfUserColumns = `${membershipColumns}, w.name as workspace_name, w.status as workspace_status`

const userSave = write(
  'user_save',
  `insert into users as u (id, issuer, subject, email, name) values (:user_id, :issuer, :subject, :email, :name)
   on conflict (id) do update set email = excluded.email, name = excluded.name, updated_at = now()
   where (u.email, u.name) is distinct from (excluded.email, excluded.name)`,
)

const workspaceInsert = write(
  'workspace_insert',
  `insert into workspaces (id, name, workspace_type, created_by, created_at, updated_at)
   values (:workspace_id, :name, 'team', :user_id, :now, :now)`,
)

const membershipInsert = write(
  'membership_insert',
  `insert into memberships (workspace_id, id, user_id, role, status, joined_at, created_at, updated_at)
   values (:workspace_id, :membership_id, :user_id, :role, 'active', :now, :now, :now)`,
)

const workspaceLock = write<WorkspaceRow>(
  'workspace_lock',
  `select ${workspaceColumns} from workspaces w where w.id = :workspace_id for no key update`,
)

const workspaceSave = updateRevision(
  'workspace_save',
  `update workspaces
   set name = :name, metadata = :metadata, status = :status, storage_limit_bytes = :storage_limit_bytes,
     revision = revision + 1, updated_at = :now
   where id = :workspace_id and revision = :revision`,
)

const workspacesByUser = read<WorkspaceOfMember>(
  'workspaces_by_user',
  `select ${workspaceColumns}, m.role
   from memberships m join workspaces w on w.id = m.workspace_id
   where m.user_id = :user_id and m.status = 'active' and (:after::uuid is null or w.id > :after)
   order by w.id limit :limit`,
  'long',
)

const workspaceByMember = read<WorkspaceOfMember>(
  'workspace_by_member',
  `select ${workspaceColumns}, m.role
   from memberships m join workspaces w on w.id = m.workspace_id
   where m.workspace_id = :workspace_id and m.user_id = :user_id and m.status = 'active'`,
)

const membershipsByUser = read<MembershipOfUser>(
  'memberships_by_user',
  `select ${membershipOfUserColumns}
   from memberships m join workspaces w on w.id = m.workspace_id
   where m.user_id = :user_id and m.status = 'active'
   order by m.workspace_id`,
)

const personByWorkspace = read<PersonRow>(
  'person_by_workspace',
  `select u.email as person_email, u.name as person_name, ${membershipOfUserColumns}
   from users u
   left join (memberships m join workspaces w on w.id = m.workspace_id)
     on m.user_id = u.id and m.workspace_id = :workspace_id and m.status = 'active'
   where u.id = :user_id`,
)
