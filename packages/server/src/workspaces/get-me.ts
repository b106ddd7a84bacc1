import { getMe } from '@wbs/contract/workspaces/workspaces'
import type { Caller } from '../call/authority/caller.ts'
import { implement } from '../call/implement.ts'
import type { Reader } from '../database/statement.ts'
import { permissionsInWorkspace } from './workspace-access.ts'
import { membershipsOfUser, personInWorkspace, type MembershipOfUser } from './workspace-store.ts'
import { presentAccess } from './workspace-view.ts'

export const handleGetMe = implement(getMe, async function getMe(_input, { caller, read }) {
  const { user, memberships } = await detailsOf(caller, read)
  return {
    result: {
      data: {
        user,
        credential:
          caller.kind === 'key'
            ? { kind: 'api_key', key_id: caller.key_id, scopes: [...caller.scopes] }
            : { kind: 'access_token', key_id: null, scopes: [] },
        memberships: memberships.map(membership => ({
          ...membership,
          access: presentAccess(membership.role),
          effective_permissions: [...permissionsInWorkspace(caller, membership)],
        })),
      },
    },
  }
})

interface CallerDetails {
  user: {
    user_id: string
    email: string | null
    email_verified: boolean
    name: string | null
    is_anonymous: boolean
  }
  memberships: readonly MembershipOfUser[]
}

/** Who the caller is: from the access token, or for a key what was last stored of its owner. Each case takes one statement. */
async function detailsOf(caller: Caller, read: Reader): Promise<CallerDetails> {
  const { user_id } = caller
  if (caller.kind === 'user') {
    const { email, email_verified, name, is_anonymous } = caller
    const memberships = await membershipsOfUser(read, user_id)
    return { user: { user_id, email, email_verified, name, is_anonymous }, memberships }
  }
  // A key has standing in its own Workspace only, whatever others its owner belongs to.
  const owner = await personInWorkspace(read, caller.workspace_id, user_id)
  return {
    user: {
      user_id,
      email: owner?.email ?? null,
      email_verified: false,
      name: owner?.name ?? null,
      is_anonymous: false,
    },
    memberships: owner?.membership ? [owner.membership] : [],
  }
}
