import { getMe } from '@wbs/contract/workspaces'
import type { Caller } from '../call/caller.ts'
import { implement } from '../call/implement.ts'
import type { Reader } from '../database/statement.ts'
import { permissionsInWorkspace } from './workspace-access.ts'
import { membershipsOfUser, userById } from './workspace-store.ts'
import { presentAccess } from './workspace-view.ts'

export const handleGetMe = implement(getMe, async (_input, { caller, read }) => {
  const [user, memberships] = await Promise.all([
    userOf(caller, read),
    membershipsOfUser(read, caller.user_id),
  ])
  // A key stands in one Workspace only, wherever its owner belongs.
  const reached = memberships.filter(
    membership => caller.kind === 'user' || membership.workspace_id === caller.workspace_id,
  )
  return {
    result: {
      data: {
        user,
        credential:
          caller.kind === 'key'
            ? { kind: 'api_key', key_id: caller.key_id, scopes: [...caller.scopes] }
            : { kind: 'access_token', key_id: null, scopes: [] },
        memberships: reached.map(membership => ({
          ...membership,
          access: presentAccess(membership.role),
          effective_permissions: [...permissionsInWorkspace(caller, membership)],
        })),
      },
    },
  }
})

/** A token says who its person is; of a key's owner we know what they said last. */
async function userOf(caller: Caller, read: Reader) {
  if (caller.kind === 'user') {
    const { user_id, email, email_verified, name, is_anonymous } = caller
    return { user_id, email, email_verified, name, is_anonymous }
  }
  const known = await userById(read, caller.user_id)
  return {
    user_id: caller.user_id,
    email: known?.email ?? null,
    email_verified: false,
    name: known?.name ?? null,
    is_anonymous: false,
  }
}
