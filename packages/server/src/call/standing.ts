import type { Operation } from '@wbs/contract/operation'
import type { Role, Scope } from '@wbs/contract/scopes'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { Caller } from './caller.ts'
import { effectivePermissions, guestPermissions } from './permissions.ts'
import { forbidden, Problem, unauthenticated } from './problem.ts'

/** That the caller belongs in a Workspace, and what they may do there now. Read anew for every request. */
export interface Standing {
  workspace_id: string
  membership_id: string
  role: Role
  permissions: ReadonlySet<Scope>
}

/** That somebody from outside was invited to Rooms of a Workspace: standing in those Rooms, and nowhere else in it. */
export interface GuestStanding {
  workspace_id: string
  membership_id: null
  role: null
  permissions: ReadonlySet<Scope>
}

interface MembershipRow {
  id: string
  role: Role
  permissions: Record<string, boolean>
  workspace_status: 'active' | 'suspended' | 'closed'
}

/** What a change may lock of its Workspace: who belongs there, or all of it. */
export type WorkspaceLock = 'team' | 'workspace'

const text = `
  select m.id, m.role, m.permissions, w.status as workspace_status
  from memberships m join workspaces w on w.id = m.workspace_id
  where m.workspace_id = $1 and m.user_id = $2 and m.status = 'active'`

const standingOf = read<MembershipRow>('standing', text)
// The Workspace is locked no harder than a new row of it locks it, or all its changes would wait for each other.
const lockedStandingOf = write<MembershipRow>('standing_locked', `${text} for share of m for key share of w`)
const lockedKey = write<{ id: string }>(
  'api_key_locked',
  `select id from api_keys
   where workspace_id = $1 and id = $2 and revoked_at is null and (expires_at is null or expires_at > now())
   for share`,
)

// Both keep out their like, and FOR UPDATE also the lock that every standing takes.
const workspaceLocks: Readonly<Record<WorkspaceLock, ReturnType<typeof write<{ id: string }>>>> = {
  team: write('workspace_lock_team', 'select id from workspaces where id = $1 for no key update'),
  workspace: write('workspace_lock', 'select id from workspaces where id = $1 for update'),
}

// Which Rooms a guest may open is asked by each of them, under its own lock.
const guestText = `
  select w.status as workspace_status from workspaces w
  where w.id = $1 and exists (
    select from room_participants p
    where p.workspace_id = w.id and p.user_id = $2 and p.status = 'active' and p.as_guest
      and (p.expires_at is null or p.expires_at > now())
  )`
const guestStandingOf = read<GuestRow>('standing_guest', guestText)
const lockedGuestStandingOf = write<GuestRow>('standing_guest_locked', `${guestText} for key share of w`)

type GuestRow = Pick<MembershipRow, 'workspace_status'>

/**
 * The caller's standing in a Workspace: a member's; or a guest's, where the operation is open to guests. Throws forbidden
 * without one, whether or not the Workspace exists.
 */
export async function standingIn(
  reader: Reader,
  caller: Caller,
  workspace_id: string,
  { guests }: Pick<Operation, 'guests'>,
): Promise<Standing | GuestStanding> {
  requireAtHome(caller, workspace_id)
  const row = await reader.one(standingOf, [workspace_id, caller.user_id])
  if (row || !guests || caller.kind === 'key') return judge(caller, workspace_id, row)
  return judgeGuest(workspace_id, await reader.one(guestStandingOf, [workspace_id, caller.user_id]))
}

/**
 * The same inside a transaction, locked: nobody loses their standing between this check and the commit. A suspended
 * Workspace takes no changes. Throws forbidden, unauthenticated, state_conflict.
 */
export async function lockStanding(
  tx: Transaction,
  caller: Caller,
  workspace_id: string,
  { guests, locks }: { guests?: true | undefined; locks?: WorkspaceLock | undefined } = {},
): Promise<Standing | GuestStanding> {
  requireAtHome(caller, workspace_id)
  const locked = locks ? tx.run(workspaceLocks[locks], [workspace_id]) : null
  const membership = tx.run(lockedStandingOf, [workspace_id, caller.user_id])
  const key = caller.kind === 'key' ? tx.run(lockedKey, [workspace_id, caller.key_id]) : null
  const [[row], keys] = await Promise.all([membership, key, locked])
  if (keys?.length === 0) throw unauthenticated('The API key was revoked or has expired.')
  const isGuest = !row && guests && caller.kind === 'user'
  const [guest] = isGuest ? await tx.run(lockedGuestStandingOf, [workspace_id, caller.user_id]) : []
  const standing = isGuest ? judgeGuest(workspace_id, guest) : judge(caller, workspace_id, row)
  if ((row ?? guest)?.workspace_status === 'suspended')
    throw new Problem('state_conflict', 'The Workspace is suspended, and takes no changes.', {
      current_status: 'suspended',
    })
  return standing
}

/** A key stands in its own Workspace alone, wherever its owner belongs. */
function requireAtHome(caller: Caller, workspace_id: string): void {
  if (caller.kind === 'key' && caller.workspace_id !== workspace_id) throw noStanding()
}

const noStanding = () => forbidden('The caller has no standing in this Workspace.')

function judge(caller: Caller, workspace_id: string, row: MembershipRow | undefined): Standing {
  if (!row || row.workspace_status === 'closed') throw noStanding()
  return {
    workspace_id,
    membership_id: row.id,
    role: row.role,
    permissions: effectivePermissions(caller, row),
  }
}

function judgeGuest(workspace_id: string, row: GuestRow | undefined): GuestStanding {
  if (!row || row.workspace_status === 'closed') throw noStanding()
  return { workspace_id, membership_id: null, role: null, permissions: guestPermissions }
}

/** Throws forbidden, naming the permission, unless the caller has it. */
export function requireScope(standing: Pick<Standing, 'permissions'>, scope: Scope): void {
  if (!standing.permissions.has(scope))
    throw forbidden(`This needs the permission ${scope} in the Workspace.`, scope)
}
