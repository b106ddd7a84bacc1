import type { Role, Scope } from '@wbs/contract/scopes'
import { lockExclusive, lockShared, type SharedLocks } from '../../database/locks.ts'
import { read, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { Caller } from './caller.ts'
import { verifyApiKey } from './verify-api-key.ts'
import { effectivePermissions, guestPermissions } from './permissions.ts'
import { forbidden, Problem } from '../problem.ts'

/** That the caller belongs in a Workspace, and what they may do there now. Read anew for every request. */
export interface Standing {
  workspace_id: string
  membership_id: string
  role: Role
  permissions: ReadonlySet<Scope>
  /** What it was judged by, as text: a transaction that judges it keeps the same (mayLockFor). Empty where it was judged for many. */
  seal: string
}

/** That somebody from outside was invited to Rooms of a Workspace: standing in those Rooms, and nowhere else in it. */
export interface GuestStanding {
  workspace_id: string
  membership_id: null
  role: null
  permissions: ReadonlySet<Scope>
  seal: string
}

/** A membership, as far as standing goes by it. */
export interface MembershipRow {
  id: string
  role: Role
  permissions: Record<string, boolean>
  workspace_status: 'active' | 'suspended' | 'closed'
  seal?: string
}

/** What a change may lock of its Workspace: who belongs there, or all of it. */
export type WorkspaceLock = 'team' | 'workspace'

/** Whether the row `m` is what makes a user a member of the Workspace $1 now. */
export const isMembershipSql = (user_id: string): string =>
  `m.workspace_id = $1 and m.user_id = ${user_id} and m.status = 'active'`

/**
 * Whether a user has been let into any Room of the Workspace $1 as a guest. Which Rooms these are is asked by each of them,
 * under its own lock.
 */
export const isGuestSql = (user_id: string): string => `exists (
    select from room_participants p
    where p.workspace_id = $1 and p.user_id = ${user_id} and p.status = 'active' and p.as_guest
      and (p.expires_at is null or p.expires_at > statement_timestamp())
  )`

const standingOf = read<MembershipRow>(
  'standing',
  `select m.id, m.role, m.permissions, w.status as workspace_status,
     set_config('svc.standing', concat_ws(' ', m.id, m.role, m.permissions, w.status), true) as seal
   from memberships m join workspaces w on w.id = m.workspace_id
   where ${isMembershipSql('$2')}`,
  'standing',
)

const guestStandingOf = read<GuestRow>(
  'standing_guest',
  `select w.status as workspace_status, set_config('svc.standing', concat_ws(' ', 'guest', w.status), true) as seal
   from workspaces w
   where w.id = $1 and ${isGuestSql('$2')} and not exists (select from memberships m where ${isMembershipSql('$2')})`,
  'standing',
)

type GuestRow = Pick<MembershipRow, 'workspace_status' | 'seal'>

/**
 * The caller's standing in a Workspace: a member's; or a guest's, where the operation is open to guests. Throws forbidden
 * without one, whether or not the Workspace exists.
 */
export async function standingIn(
  reader: Reader,
  caller: Caller,
  workspace_id: string,
  { guests }: { guests?: true | undefined },
): Promise<Standing | GuestStanding> {
  requireOwnWorkspace(caller, workspace_id)
  const row = await reader.one(standingOf, [workspace_id, caller.user_id])
  if (row || !guests || caller.kind === 'key') return standingFrom(caller, workspace_id, row)
  return guestStandingFrom(workspace_id, await reader.one(guestStandingOf, [workspace_id, caller.user_id]))
}

/**
 * The same inside a transaction, as it is now: of a key too, whose secret and scopes may have changed since it was
 * presented. It holds until the commit where what `authorityOf` names is locked. A suspended Workspace takes no changes.
 * Where the caller was a guest last, that is asked along. Throws forbidden, unauthenticated, state_conflict.
 */
export async function currentStanding(
  tx: Transaction,
  caller: Caller,
  workspace_id: string,
  { guests, wasGuest = false }: { guests?: true | undefined; wasGuest?: boolean } = {},
): Promise<Standing | GuestStanding> {
  requireOwnWorkspace(caller, workspace_id)
  const values = [workspace_id, caller.user_id]
  const [now, row, guestRow] = await Promise.all([
    caller.kind === 'key' ? verifyApiKey(tx, caller.presented) : caller,
    tx.one(standingOf, values),
    wasGuest ? tx.one(guestStandingOf, values) : undefined,
  ])
  const asGuest = !row && guests && caller.kind === 'user'
  const guest = asGuest ? (guestRow ?? (await tx.one(guestStandingOf, values))) : undefined
  const standing = asGuest ? guestStandingFrom(workspace_id, guest) : standingFrom(now, workspace_id, row)
  if ((row ?? guest)?.workspace_status === 'suspended')
    throw new Problem('state_conflict', 'The Workspace is suspended and accepts no changes.', {
      current_status: 'suspended',
    })
  return standing
}

/** The same, locked first: nobody loses their standing between this check and the commit, nor does the key that they act by. */
export async function lockStanding(
  tx: Transaction,
  caller: Caller,
  workspace_id: string,
  { guests, locks }: { guests?: true | undefined; locks?: WorkspaceLock | undefined } = {},
): Promise<Standing | GuestStanding> {
  requireOwnWorkspace(caller, workspace_id)
  const [, , standing] = await Promise.all([
    locks && lockExclusive(tx, workspace_id, [[locks, '']]),
    lockShared(tx, workspace_id, authorityLocks(caller)),
    currentStanding(tx, caller, workspace_id, { guests }),
  ])
  return standing
}

/** What a change shares a lock of: whoever takes the caller's authority away locks one of these alone. */
export const authorityLocks = (caller: Caller): SharedLocks['targets'] => [
  ['workspace', ''],
  ['member', caller.user_id],
  ...(caller.kind === 'key' ? ([['api_key', caller.key_id]] as const) : []),
]

/** Refused for want of standing, and not of a permission. */
export class NoStanding extends Problem<'forbidden'> {}

/** A key stands in its own Workspace alone, wherever its owner belongs. */
function requireOwnWorkspace(caller: Caller, workspace_id: string): void {
  if (caller.kind === 'key' && caller.workspace_id !== workspace_id) throw noStanding()
}

const noStanding = () => new NoStanding('forbidden', 'You do not have access to this Workspace.', {})

/** What a membership comes to. Throws forbidden where there is none. */
export function standingFrom(caller: Caller, workspace_id: string, row: MembershipRow | undefined): Standing {
  if (!row || row.workspace_status === 'closed') throw noStanding()
  return {
    workspace_id,
    membership_id: row.id,
    role: row.role,
    permissions: effectivePermissions(caller, row),
    seal: sealOf(caller, row),
  }
}

/** A key's standing is judged by the row of the key, too. */
function sealOf(caller: Caller, { seal = '' }: MembershipRow): string {
  if (caller.kind === 'user') return seal
  return caller.seal && seal ? `${caller.seal} ${seal}` : ''
}

/** What it comes to that somebody is a guest. Throws forbidden where they are not. */
export function guestStandingFrom(workspace_id: string, row: GuestRow | undefined): GuestStanding {
  if (!row || row.workspace_status === 'closed') throw noStanding()
  const { seal = '' } = row
  return { workspace_id, membership_id: null, role: null, permissions: guestPermissions, seal }
}

/** Throws forbidden, naming the permission, unless the caller has it. */
export function requireScope(standing: Pick<Standing, 'permissions'>, scope: Scope): void {
  if (!standing.permissions.has(scope))
    throw forbidden(`You need the permission ${scope} in the Workspace.`, scope)
}
