import { randomUUID } from 'node:crypto'
import type { DriverOf } from './driver.ts'
import type { StateWorld } from './state-world.ts'

/** Suspended and closed Workspaces. Each has one owner, and nobody can see a closed one. */
export function workspaceDriver({ service }: StateWorld): DriverOf<'workspace'> {
  return {
    async make() {
      const owner = service.person('Olivia')
      const id = await service.workspace('Harbor', owner)
      const as = service.client({ access_token: owner.token, workspace_id: id })
      const look = async () => {
        const [row] = await service.sql<{ state: 'active'; revision: number }>(
          'select status as state, revision from workspaces where id = $1',
          [id],
        )
        return row as { state: 'active'; revision: number }
      }
      const set = (status: string) => () =>
        service.sql('update workspaces set status = $2, revision = revision + 1 where id = $1', [id, status])
      const named = async () => ({ workspace_id: id, expected_revision: (await look()).revision })
      return {
        look,
        moves: {
          update: async () => as.updateWorkspace({ ...(await named()), name: `Harbor ${randomUUID()}` }),
          close: async () => as.closeWorkspace(await named()),
          suspend: set('suspended'),
          resume: set('active'),
          close_suspended: set('closed'),
        },
      }
    },
    refusal: (_move, from) => (from === 'closed' ? { code: 'forbidden' } : undefined),
  }
}

export function teamInvitationDriver(world: StateWorld): DriverOf<'team_invitation'> {
  const { us, service } = world
  return {
    async make() {
      const invited = await world.somebody()
      const { data } = await us.createTeamInvitation({ email: invited.email, role: 'member' })
      const { invitation_id } = data
      const token = () => invitationToken(world, invitation_id)
      return {
        async look() {
          const { status, revision } = (await us.getTeamInvitation({ invitation_id })).data
          return { state: status, revision }
        },
        moves: {
          resend: () => us.resendTeamInvitation({ invitation_id }),
          accept: async () => invited.client.acceptInvitation({ token: await token() }),
          decline: async () => invited.client.declineInvitation({ token: await token() }),
          revoke: () => us.revokeTeamInvitation({ invitation_id }),
          expire: () =>
            service.sql(
              `update team_invitations set expires_at = now() - interval '1 second' where id = $1`,
              [invitation_id],
            ),
        },
      }
    },
    refusal: answerRefusal,
  }
}

/** Whoever answers an invitation learns only what they may: an accepted one is a conflict, a revoked one is hidden. */
export function answerRefusal(move: string, from: string) {
  if (move !== 'accept' && move !== 'decline') return undefined
  if (from === 'expired') return { code: 'gone' as const }
  if (from === 'accepted' || from === 'active')
    return { code: 'state_conflict' as const, current_status: 'accepted' }
  return { code: 'not_found' as const }
}

const invitationToken = async (world: StateWorld, invitation_id: string): Promise<string> =>
  world.token(
    'team',
    invitation_id,
    await world.value<number>('select token_number as value from team_invitations where id = $1', [
      invitation_id,
    ]),
  )

export function membershipDriver(world: StateWorld): DriverOf<'membership'> {
  const { us, service, workspace_id } = world
  return {
    async make() {
      const invited = await world.somebody()
      const { data } = await us.createTeamInvitation({ email: invited.email, role: 'member' })
      const member = async () => {
        const [row] = await service.sql<{ id: string; status: 'active'; revision: number; role: string }>(
          'select id, status, revision, role from memberships where workspace_id = $1 and user_id = $2',
          [workspace_id, invited.user_id],
        )
        return row ?? { id: randomUUID(), status: 'invited' as const, revision: 0, role: 'member' }
      }
      return {
        async look() {
          const { status, revision } = await member()
          return { state: status, revision }
        },
        moves: {
          accept: async () =>
            invited.client.acceptInvitation({ token: await invitationToken(world, data.invitation_id) }),
          async update() {
            const { id, revision, role } = await member()
            return us.updateMembership({
              membership_id: id,
              expected_revision: revision,
              role: role === 'member' ? 'viewer' : 'member',
            })
          },
          remove: async () => us.removeMembership({ membership_id: (await member()).id }),
          leave: () => world.as(invited).leaveTeam({}),
        },
      }
    },
    refusal(move) {
      if (move === 'accept') return { code: 'state_conflict', current_status: 'accepted' }
      return { code: move === 'leave' ? 'forbidden' : 'not_found' }
    },
  }
}

export function apiKeyDriver({ us, service }: StateWorld): DriverOf<'api_key'> {
  return {
    async make() {
      const { data } = await us.createApiKey({ name: 'CRM sync', scopes: ['businesses:read'] })
      const { key_id } = data
      const read = async () => (await us.getApiKey({ key_id })).data
      return {
        async look() {
          const { status, revision } = await read()
          return { state: status, revision }
        },
        moves: {
          update: async () =>
            us.updateApiKey({
              key_id,
              expected_revision: (await read()).revision,
              name: `CRM ${randomUUID()}`,
            }),
          rotate: () => us.rotateApiKey({ key_id }),
          revoke: () => us.revokeApiKey({ key_id }),
          expire: () =>
            service.sql(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [
              key_id,
            ]),
        },
      }
    },
  }
}
