import type { Role, Scope } from '@wbs/contract/scopes'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { Caller } from './caller.ts'
import { effectivePermissions } from './permissions.ts'
import { forbidden, unauthenticated } from './problem.ts'

/** That the caller belongs in a Workspace, and what they may do there now. Read anew for every request. */
export interface Standing {
  workspace_id: string
  membership_id: string
  role: Role
  permissions: ReadonlySet<Scope>
}

interface MembershipRow {
  id: string
  role: Role
  permissions: Record<string, boolean>
  workspace_status: 'active' | 'suspended' | 'closed'
}

const text = `
  select m.id, m.role, m.permissions, w.status as workspace_status
  from memberships m join workspaces w on w.id = m.workspace_id
  where m.workspace_id = $1 and m.user_id = $2 and m.status = 'active'`

const standingOf = read<MembershipRow>('standing', text)
// The Workspace is locked no harder than a new row of it locks it, or two changes of the Workspace itself would wait for
// each other: what takes standing away from all, such as closing it, takes its row FOR UPDATE.
const lockedStandingOf = write<MembershipRow>('standing_locked', `${text} for share of m for key share of w`)
const lockedKey = write<{ id: string }>(
  'api_key_locked',
  `select id from api_keys
   where workspace_id = $1 and id = $2 and revoked_at is null and (expires_at is null or expires_at > now())
   for share`,
)

/** The caller's standing in a Workspace. Throws forbidden without one, whether or not the Workspace exists. */
export async function standingIn(reader: Reader, caller: Caller, workspace_id: string): Promise<Standing> {
  return judge(caller, workspace_id, await reader.one(standingOf, [workspace_id, caller.user_id]))
}

/** The same inside a transaction, locked: nobody loses their standing between this check and the commit. */
export async function lockStanding(tx: Transaction, caller: Caller, workspace_id: string): Promise<Standing> {
  const membership = tx.run(lockedStandingOf, [workspace_id, caller.user_id])
  const key = caller.kind === 'key' ? tx.run(lockedKey, [workspace_id, caller.key_id]) : null
  const [[row], keys] = await Promise.all([membership, key])
  if (keys?.length === 0) throw unauthenticated('The API key was revoked or has expired.')
  return judge(caller, workspace_id, row)
}

function judge(caller: Caller, workspace_id: string, row: MembershipRow | undefined): Standing {
  const elsewhere = caller.kind === 'key' && caller.workspace_id !== workspace_id
  if (!row || elsewhere || row.workspace_status === 'closed')
    throw forbidden('The caller has no standing in this Workspace.')
  return {
    workspace_id,
    membership_id: row.id,
    role: row.role,
    permissions: effectivePermissions(caller, row),
  }
}

/** Throws forbidden, naming the permission, unless the caller has it. */
export function requireScope(standing: Standing, scope: Scope): void {
  if (!standing.permissions.has(scope))
    throw forbidden(`This needs the permission ${scope} in the Workspace.`, scope)
}
