import type { Role, Scope } from '@wbs/contract/scopes'
import { lockExclusive, lockShared, type SharedLocks } from '../../database/locks.ts'
import { read, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { Caller } from './caller.ts'
import { verifyApiKey } from './verify-api-key.ts'
import { effectivePermissions, guestPermissions } from './permissions.ts'
import { forbidden, Problem } from '../problem.ts'

/** Standing: that a caller is a member of a Workspace, and what they may do there. Read again for every request. */
export interface Standing {
  workspace_id: string
  membership_id: string
  role: Role
  permissions: ReadonlySet<Scope>
  /**
   * The seal: the rows that the standing was judged by, as text. The transaction that judges it keeps the same text, so
   * that a statement can tell whether the standing is still the same (mayLockForSql). Empty if it was judged for many
   * callers.
   */
  seal: string
}

/** The standing of a guest, who is no member but was invited to Rooms of the Workspace. It applies in those Rooms only. */
export interface GuestStanding {
  workspace_id: string
  membership_id: null
  role: null
  permissions: ReadonlySet<Scope>
  seal: string
}

/** The columns of a membership that standing depends on. */
export interface MembershipRow {
  id: string
  role: Role
  permissions: Record<string, boolean>
  workspace_status: 'active' | 'suspended' | 'closed'
  seal?: string
}

/** What a change may lock exclusively: the team of the Workspace, or the Workspace as a whole. */
export type WorkspaceLock = 'team' | 'workspace'

/** SQL: whether the row `m` is the active membership of a user in the Workspace `:workspace_id`. */
export const isMembershipSql = (user_id: string): string =>
  `m.workspace_id = :workspace_id and m.user_id = ${user_id} and m.status = 'active'`

/**
 * SQL: whether a user is a guest in any Room of the Workspace. In which Rooms is checked by each Room, under its own
 * lock.
 */
export const isGuestSql = (user_id: string): string => `exists (
    select from room_participants p
    where p.workspace_id = :workspace_id and p.user_id = ${user_id} and p.status = 'active' and p.as_guest
      and (p.expires_at is null or p.expires_at > statement_timestamp())
  )`

const standingOf = read<MembershipRow>(
  'standing',
  `select m.id, m.role, m.permissions, w.status as workspace_status,
     set_config('svc.standing', concat_ws(' ', m.id, m.role, m.permissions, w.status), true) as seal
   from memberships m join workspaces w on w.id = m.workspace_id
   where ${isMembershipSql(':user_id')}`,
  'standing',
)

const guestStandingOf = read<GuestRow>(
  'standing_guest',
  `select w.status as workspace_status, set_config('svc.standing', concat_ws(' ', 'guest', w.status), true) as seal
   from workspaces w
   where w.id = :workspace_id and ${isGuestSql(':user_id')} and not exists (select from memberships m where ${isMembershipSql(':user_id')})`,
  'standing',
)

type GuestRow = Pick<MembershipRow, 'workspace_status' | 'seal'>

/**
 * The caller's standing in a Workspace: as a member, or as a guest if the operation is open to guests. Throws forbidden
 * without one, whether or not the Workspace exists.
 */
export async function standingIn(
  reader: Reader,
  caller: Caller,
  workspace_id: string,
  { guests }: { guests?: true | undefined },
): Promise<Standing | GuestStanding> {
  requireOwnWorkspace(caller, workspace_id)
  const row = await reader.one(standingOf, { workspace_id, user_id: caller.user_id })
  if (row || !guests || caller.kind === 'key') return standingFrom(caller, workspace_id, row)
  return guestStandingFrom(
    workspace_id,
    await reader.one(guestStandingOf, { workspace_id, user_id: caller.user_id }),
  )
}

/**
 * The standing at this point of a transaction. An API key is verified again, since its secret and scopes may have
 * changed since it was presented. The result is valid until the commit if the transaction holds `authorityLocks`, which
 * `claimKeyAndLockAuthority` and `lockStanding` take. For a caller who was a guest last time, the guest's row is read in
 * the same round trip. Throws forbidden, unauthenticated, or state_conflict if the Workspace is suspended.
 */
export async function currentStanding(
  tx: Transaction,
  caller: Caller,
  workspace_id: string,
  { guests, wasGuest = false }: { guests?: true | undefined; wasGuest?: boolean } = {},
): Promise<Standing | GuestStanding> {
  requireOwnWorkspace(caller, workspace_id)
  const values = { workspace_id, user_id: caller.user_id }
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

/**
 * Takes the locks first and then reads the standing, so that neither the standing nor the API key can be revoked before
 * the commit.
 */
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

/** The locks that a change shares: whoever revokes the caller's authority takes one of them exclusively. */
export const authorityLocks = (caller: Caller): SharedLocks['targets'] => [
  ['workspace', ''],
  ['member', caller.user_id],
  ...(caller.kind === 'key' ? ([['api_key', caller.key_id]] as const) : []),
]

/** Refused because the caller has no standing, rather than for want of a permission. */
export class NoStanding extends Problem<'forbidden'> {}

/** An API key has standing in its own Workspace only, whatever other Workspaces its owner belongs to. */
function requireOwnWorkspace(caller: Caller, workspace_id: string): void {
  if (caller.kind === 'key' && caller.workspace_id !== workspace_id) throw noStanding()
}

const noStanding = () => new NoStanding('forbidden', 'You do not have access to this Workspace.', {})

/** The standing that a membership gives. Throws forbidden without one. */
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

/** The standing of an API key also depends on the key's own row. */
function sealOf(caller: Caller, { seal = '' }: MembershipRow): string {
  if (caller.kind === 'user') return seal
  return caller.seal && seal ? `${caller.seal} ${seal}` : ''
}

/** The standing that an invitation to a Room gives. Throws forbidden without one. */
export function guestStandingFrom(workspace_id: string, row: GuestRow | undefined): GuestStanding {
  if (!row || row.workspace_status === 'closed') throw noStanding()
  const { seal = '' } = row
  return { workspace_id, membership_id: null, role: null, permissions: guestPermissions, seal }
}

/** Throws forbidden, naming the permission, unless the caller has all of these. */
export function requireScopes(
  { permissions }: Pick<Standing, 'permissions'>,
  scopes: readonly Scope[],
): void {
  for (const scope of scopes)
    if (!permissions.has(scope)) throw forbidden(`You need the permission ${scope} in the Workspace.`, scope)
}
