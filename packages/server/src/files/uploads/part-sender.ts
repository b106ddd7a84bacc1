import { forbiddenForKeys, type Scope } from '@wbs/contract/scopes'
import { guestPermissions, memberPermissions } from '../../call/authority/permissions.ts'
import type { Refuse } from '../../call/problem.ts'
import { isWithin } from '../../identity/networks.ts'
import type { Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import type { PartGrant } from './part-token.ts'
import type { PartSender } from './part-sender-store.ts'

type Principal = Pick<PartGrant, 'workspace_id' | 'user_id' | 'key_id'>

/**
 * The viewer for whom the URL of a part was made, as they stand now: a URL does not outlive the rights of who asked for it.
 * Throws forbidden, or state_conflict if the Workspace is suspended.
 */
export function requireSender(
  { workspace_id, user_id, key_id }: Principal,
  sender: PartSender | undefined,
  address: string,
  refuse: Refuse<'forbidden' | 'state_conflict'>,
): Viewer {
  if (!sender || !permissionsOf(key_id, sender, address).has('files:write'))
    throw refuse.forbidden('Whoever asked for this address may not upload Files in the Workspace any more.')
  if (sender.workspace_status !== 'active')
    throw refuse.state_conflict('The Workspace is suspended and accepts no changes.', {
      current_status: sender.workspace_status,
    })
  const is_member = sender.role !== null
  const reads_businesses = is_member && permissionsOf(key_id, sender, address).has('businesses:read')
  return { workspace_id, user_id, is_member, reads_businesses }
}

function permissionsOf(key_id: string | null, sender: PartSender, address: string): ReadonlySet<Scope> {
  const { workspace_status, role, permissions, is_guest, scopes, allowed_cidrs } = sender
  if (workspace_status === 'closed') return nothing
  if (role === null) return is_guest && key_id === null ? guestPermissions : nothing
  const ofMember = memberPermissions({ role, permissions: permissions ?? {} })
  if (key_id === null) return ofMember
  if (!scopes || (allowed_cidrs && !isWithin(allowed_cidrs, address))) return nothing
  return new Set(scopes.filter(scope => ofMember.has(scope) && !forbiddenForKeys.includes(scope)))
}

const nothing: ReadonlySet<Scope> = new Set()
