import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { createInvitationTokens } from '../../../src/identity/invitation-token.ts'
import { mailTeamInvitation } from '../../../src/workspaces/team-invitations/mail-team-invitation.ts'
import { testSecret, type Person } from '../../harness/service.ts'
import { refused } from '../../harness/refused.ts'
import { someAddress, startInvitationWorld, type InvitationWorld, type Team } from './invitation-world.ts'

describe('the authority of a team invitation follows its sender', () => {
  let world: InvitationWorld
  before(async () => void (world = await startInvitationWorld()))
  after(() => world.service.close())

  interface Sent {
    team: Team
    admin: Person
    admins_membership: string
    invitation_id: string
    email: string
    token: string
  }

  /** An invitation by an admin. */
  async function sent(role: 'admin' | 'member' = 'admin'): Promise<Sent> {
    const team = await world.team()
    const admin = world.service.person('Adam')
    const admins_membership = await world.service.join(team.workspace_id, admin, 'admin')
    const email = someAddress()
    const { data } = await as(admin, team).createTeamInvitation({ email, role })
    const token = await world.mailbox.token(email, 1)
    return { team, admin, admins_membership, invitation_id: data.invitation_id, email, token }
  }

  const as = (person: Person, { workspace_id }: Team) =>
    world.service.client({ access_token: person.token, workspace_id })
  const owner = ({ team }: Sent) => as(team.owner, team)
  const accept = ({ email, token }: { email: string; token: string }) =>
    world.holder(email).client.acceptInvitation({ token })

  async function assertRevoked(invitation: Sent): Promise<void> {
    const { invitation_id, token, team } = invitation
    const { data: inspected } = await world.service.anonymous.inspectInvitation({ token })
    assert.equal(inspected.status, 'revoked')
    await refused(accept(invitation), 'not_found')
    await refused(world.holder(invitation.email).client.declineInvitation({ token }), 'not_found')
    assert.equal((await owner(invitation).getTeamInvitation({ invitation_id })).data.status, 'revoked')
    const idsOf = async (status: 'pending' | 'revoked') =>
      (await owner(invitation).listTeamInvitations({ status })).data.map(one => one.invitation_id)
    assert.deepEqual([await idsOf('pending'), await idsOf('revoked')], [[], [invitation_id]])
    await refused(owner(invitation).resendTeamInvitation({ invitation_id }), 'state_conflict')
    await refused(owner(invitation).revokeTeamInvitation({ invitation_id }), 'state_conflict')
    assert.equal((await team.memberships()).length, 2)
  }

  const changing =
    (changes: Pick<Parameters<Client['updateMembership']>[0], 'role' | 'permissions'>) => (one: Sent) =>
      owner(one).updateMembership({
        membership_id: one.admins_membership,
        expected_revision: 1,
        ...changes,
      })

  const losses: [string, (sent: Sent) => Promise<unknown>][] = [
    [
      'nothing after they were removed',
      one => owner(one).removeMembership({ membership_id: one.admins_membership }),
    ],
    ['nothing after they left', ({ admin, team }) => as(admin, team).leaveTeam({})],
    ['nothing after they became a member', changing({ role: 'member' })],
    ['nothing after they may no longer manage the team', changing({ permissions: { 'team:manage': false } })],
    [
      'nothing after they may no longer do what the role may',
      changing({ permissions: { 'businesses:publish': false } }),
    ],
  ]
  for (const [title, lose] of losses)
    it(title, async () => {
      const invitation = await sent()
      await lose(invitation)
      await assertRevoked(invitation)
    })

  it('and ends although they returned as an admin, with another membership', async () => {
    const invitation = await sent()
    const { admin, team, token } = invitation
    await as(admin, team).leaveTeam({})
    await admin.client.acceptInvitation({ token: (await team.invite(admin.email, 'admin')).token })
    assert.equal((await world.service.anonymous.inspectInvitation({ token })).data.status, 'revoked')
    await refused(accept(invitation), 'not_found')
  })

  it('and stays if they may still give its role', async () => {
    const invitation = await sent('member')
    await owner(invitation).updateMembership({
      membership_id: invitation.admins_membership,
      expected_revision: 1,
      permissions: { 'businesses:publish': false },
    })
    const { membership } = await accept(invitation)
    assert.equal(membership?.role, 'member')
  })

  it('and ends when the key that sent it is revoked', async () => {
    const team = await world.team()
    const { key_id, secret } = await world.service.apiKey(team.workspace_id, team.owner, [
      'team:manage',
      ...viewersScopes,
    ])
    const byKey = world.service.client({ api_key: secret, workspace_id: team.workspace_id })
    const [first, second] = [someAddress(), someAddress()]
    for (const email of [first, second]) await byKey.createTeamInvitation({ email, role: 'viewer' })
    const tokens = [await world.mailbox.token(first, 1), await world.mailbox.token(second, 1)]
    const { membership } = await accept({ email: first, token: tokens[0] as string })
    assert.equal(membership?.role, 'viewer')
    await as(team.owner, team).revokeApiKey({ key_id })
    await refused(accept({ email: second, token: tokens[1] as string }), 'not_found')
  })

  it('and does not block an invitation by somebody else', async () => {
    const invitation = await sent()
    await owner(invitation).removeMembership({ membership_id: invitation.admins_membership })
    const { data, idempotent_replay } = await owner(invitation).createTeamInvitation({
      email: invitation.email,
      role: 'viewer',
    })
    assert.notEqual(data.invitation_id, invitation.invitation_id)
    assert.equal(idempotent_replay, false)
    await refused(accept(invitation), 'not_found')
    const { membership } = await accept({
      email: invitation.email,
      token: await world.mailbox.token(invitation.email, 2),
    })
    assert.equal(membership?.role, 'viewer')
  })

  it('and stops mails of invitations without it', async () => {
    const invitation = await sent()
    const { invitation_id, email, team } = invitation
    const mail = mailTeamInvitation({
      readers: world.service.database.readers,
      mailer: world.mailbox.mailer,
      tokens: createInvitationTokens(testSecret, 'team'),
      page: () => 'https://app.example.com',
    })
    const mailAgain = () =>
      mail({ workspace_id: team.workspace_id, invitation_id, token_number: 1 }, { id: randomUUID() })
    const mails = () => world.mailbox.messages.filter(({ to }) => to === email).length
    await mailAgain()
    assert.equal(mails(), 2)
    await owner(invitation).removeMembership({ membership_id: invitation.admins_membership })
    await mailAgain()
    assert.equal(mails(), 2)
  })
})

const viewersScopes = [
  'workspace:read',
  'team:read',
  'businesses:read',
  'valuations:read',
  'rooms:read',
  'files:read',
  'files:download',
  'lists:read',
  'list_members:read',
  'goals:read',
  'tasks:read',
  'connections:read',
  'approvals:read',
  'events:read',
] as const
