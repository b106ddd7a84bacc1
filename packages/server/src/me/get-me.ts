import { getMe, mostRoomsOfMe } from '@wbs/contract/me'
import type { Caller } from '../call/authority/caller.ts'
import { workspaceAccess } from '../call/authority/permissions.ts'
import { implement } from '../call/implement.ts'
import type { Reader } from '../database/statement.ts'
import { permissionsInWorkspace } from '../workspaces/workspace-access.ts'
import { membershipsOfUser, personInWorkspace, type MembershipOfUser } from '../workspaces/workspace-store.ts'
import { roomsOfCaller } from './my-rooms.ts'

export const handleGetMe = implement(getMe, async function getMe(_input, { caller, read }) {
  const [{ user, memberships }, { rooms, cursor }] = await Promise.all([
    detailsOf(caller, read),
    roomsOfCaller(read, caller, { after: null, limit: mostRoomsOfMe }),
  ])
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
          access: { access_level: workspaceAccess[membership.role] },
          effective_permissions: [...permissionsInWorkspace(caller, membership)],
        })),
        rooms,
        rooms_has_more: cursor !== null,
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
