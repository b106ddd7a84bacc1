import { getMe } from '@wbs/contract/workspaces/workspaces'
import type { Caller } from '../call/authority/caller.ts'
import { implement } from '../call/implement.ts'
import type { Reader } from '../database/statement.ts'
import { permissionsInWorkspace } from './workspace-access.ts'
import { membershipsOfUser, personInWorkspace, type MembershipOfUser } from './workspace-store.ts'
import { presentAccess } from './workspace-view.ts'

export const handleGetMe = implement(getMe, async function getMe(_input, { caller, read }) {
  const { user, memberships } = await selfOf(caller, read)
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

interface Self {
  user: {
    user_id: string
    email: string | null
    email_verified: boolean
    name: string | null
    is_anonymous: boolean
  }
  memberships: readonly MembershipOfUser[]
}

/** A token says who its person is; of a key's owner we know what they said last. Either way it is one statement. */
async function selfOf(caller: Caller, read: Reader): Promise<Self> {
  const { user_id } = caller
  if (caller.kind === 'user') {
    const { email, email_verified, name, is_anonymous } = caller
    const memberships = await membershipsOfUser(read, user_id)
    return { user: { user_id, email, email_verified, name, is_anonymous }, memberships }
  }
  // A key stands in one Workspace only, wherever its owner belongs.
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
