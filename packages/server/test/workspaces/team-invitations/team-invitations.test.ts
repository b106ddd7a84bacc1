import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isProblem } from '@wbs/sdk'
import { refusedWith, someAddress, startInvitationWorld, type InvitationWorld } from './invitation-world.ts'

let world: InvitationWorld
before(async () => void (world = await startInvitationWorld()))
after(() => world.service.close())

/** Lets an invitation expire, by the clock of the database. */
const expire = (invitation_id: string) =>
  world.service.sql(`update team_invitations set expires_at = now() - interval '1 second' where id = $1`, [
    invitation_id,
  ])

const statusOfRefusal = (status: string) => (error: unknown) =>
  isProblem(error, 'state_conflict') && error.problem.current_status === status

describe('GET /v1/team/invitations', () => {
  it('returns those of the Workspace exactly once by id, whatever the page size', async () => {
    const { owner, workspace_id } = await world.team()
    const elsewhere = await world.team(owner)
    await elsewhere.invite()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) {
      const { data } = await owner.client.createTeamInvitation(
        { email: someAddress(), role: 'viewer' },
        { workspace_id },
      )
      ids.push(data.invitation_id)
    }
    for (const limit of [1, 2, 6, 7, 8, 100]) {
      const seen: string[] = []
      for await (const one of owner.client.listTeamInvitations.each({ limit }, { workspace_id }))
        seen.push(one.invitation_id)
      assert.deepEqual(seen, ids, `limit ${limit}`)
    }
    const { page } = await owner.client.listTeamInvitations({ limit: 3 }, { workspace_id })
    assert.deepEqual(page, { cursor: ids[2], has_more: true })
    const last = await owner.client.listTeamInvitations({ cursor: ids[6] ?? '' }, { workspace_id })
    assert.deepEqual([last.data, last.page], [[], { cursor: null, has_more: false }])
  })

  it('filters by status, also by expired before it is recorded', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const [pending, expired, revoked, declined, accepted] = await Promise.all(
      Array.from({ length: 5 }, () => invite()),
    )
    assert.ok(pending && expired && revoked && declined && accepted)
    await owner.client.revokeTeamInvitation({ invitation_id: revoked.invitation_id }, { workspace_id })
    await world.holder(declined.email).client.declineInvitation({ token: declined.token })
    await world.holder(accepted.email).client.acceptInvitation({ token: accepted.token })
    await expire(expired.invitation_id)
    for (const [status, one] of Object.entries({ pending, expired, revoked, declined, accepted } as const)) {
      const { data } = await owner.client.listTeamInvitations(
        { status: status as 'pending' },
        { workspace_id },
      )
      assert.deepEqual(
        data.map(({ invitation_id, status: told }) => [invitation_id, told]),
        [[one.invitation_id, status]],
      )
    }
    assert.equal((await owner.client.listTeamInvitations({}, { workspace_id })).data.length, 5)
  })

  it('contains no token', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { token } = await invite()
    assert.ok(!JSON.stringify(await owner.client.listTeamInvitations({}, { workspace_id })).includes(token))
  })
})

describe('GET /v1/team/invitations/{invitation_id}', () => {
  it('returns an invitation, with its revision as ETag', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { invitation_id, email } = await invite()
    const { data } = await owner.client.getTeamInvitation({ invitation_id }, { workspace_id })
    assert.deepEqual([data.email, data.status, data.revision], [email, 'pending', 1])
    const { headers } = await world.service.request(`/v1/team/invitations/${invitation_id}`, {
      token: owner.token,
      headers: { 'svc-workspace-id': workspace_id },
    })
    assert.equal(headers.get('etag'), '"r1"')
  })
})

describe('POST /v1/team/invitations/{invitation_id}/resend', () => {
  it('mails a new link, invalidates the old one, and restarts the 14 days', async () => {
    const { owner, workspace_id, invite, events } = await world.team()
    const { invitation_id, email, token: old } = await invite()
    await world.service.sql(
      `update team_invitations set expires_at = now() + interval '1 minute' where id = $1`,
      [invitation_id],
    )
    const { data, action_receipt } = await owner.client.resendTeamInvitation(
      { invitation_id },
      { workspace_id },
    )
    assert.equal(data.revision, 2)
    assert.ok(Date.parse(data.expires_at) > Date.now() + 13 * 86_400_000)
    assert.equal(action_receipt.operation, 'resend_team_invitation')
    const token = await world.mailbox.token(email, 2)
    const zoe = world.holder(email)
    await assert.rejects(zoe.client.acceptInvitation({ token: old }), refusedWith('not_found'))
    await zoe.client.acceptInvitation({ token })
    assert.deepEqual((await events()).slice(1, 3), ['team_invitation.created', 'team_invitation.resent'])
  })

  it('mails once for repeated requests, and replays although it was revoked since', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { invitation_id, email } = await invite()
    const idempotency_key = randomUUID()
    const resend = () =>
      owner.client.resendTeamInvitation({ invitation_id }, { workspace_id, idempotency_key })
    const first = await resend()
    await world.mailbox.token(email, 2)
    await owner.client.revokeTeamInvitation({ invitation_id }, { workspace_id })
    const again = await resend()
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual(again.data, first.data)
    assert.equal(world.mailbox.messages.filter(({ to }) => to === email).length, 2)
  })

  it('refuses invitations that are not pending', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { invitation_id } = await invite()
    const resend = () => owner.client.resendTeamInvitation({ invitation_id }, { workspace_id })
    await expire(invitation_id)
    await assert.rejects(resend(), statusOfRefusal('expired'))
    await world.service.sql(
      `update team_invitations set expires_at = now() + interval '1 day', status = 'revoked' where id = $1`,
      [invitation_id],
    )
    await assert.rejects(resend(), statusOfRefusal('revoked'))
  })

  it('and revoking refuse callers who could not send it', async () => {
    const member = world.service.person('Mia')
    const { workspace_id, invite } = await world.team(undefined, { member })
    await world.service.sql(
      `update memberships set permissions = '{"team:manage": true}' where workspace_id = $1 and user_id = $2`,
      [workspace_id, member.user_id],
    )
    const { invitation_id } = await invite(someAddress(), 'admin')
    for (const act of [member.client.resendTeamInvitation, member.client.revokeTeamInvitation])
      await assert.rejects(act({ invitation_id }, { workspace_id }), refusedWith('forbidden'))
  })
})

describe('POST /v1/team/invitations/{invitation_id}/revoke', () => {
  it('ends an invitation, whose link is no longer valid', async () => {
    const { owner, workspace_id, invite, events, memberships } = await world.team()
    const { invitation_id, email, token } = await invite()
    const { data } = await owner.client.revokeTeamInvitation({ invitation_id }, { workspace_id })
    assert.deepEqual([data.status, data.revision], ['revoked', 2])
    await assert.rejects(world.holder(email).client.acceptInvitation({ token }), refusedWith('not_found'))
    assert.equal((await world.service.anonymous.inspectInvitation({ token })).data.status, 'revoked')
    assert.deepEqual((await events()).slice(1), ['team_invitation.created', 'team_invitation.revoked'])
    assert.equal((await memberships()).length, 1)
  })

  it('refuses invitations that are not pending', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { invitation_id } = await invite()
    const revoke = () => owner.client.revokeTeamInvitation({ invitation_id }, { workspace_id })
    await revoke()
    await assert.rejects(revoke(), statusOfRefusal('revoked'))
    const other = await invite()
    await world.holder(other.email).client.acceptInvitation({ token: other.token })
    await assert.rejects(
      owner.client.revokeTeamInvitation({ invitation_id: other.invitation_id }, { workspace_id }),
      statusOfRefusal('accepted'),
    )
  })

  it('stops a mail that was not yet sent', async () => {
    const { owner, workspace_id } = await world.team()
    const email = someAddress()
    const { data } = await owner.client.createTeamInvitation({ email, role: 'viewer' }, { workspace_id })
    const [job] = await world.service.sql<{ data: object }>(
      `select data from svc_jobs.job where data ->> 'invitation_id' = $1`,
      [data.invitation_id],
    )
    await world.mailbox.token(email)
    await owner.client.revokeTeamInvitation({ invitation_id: data.invitation_id }, { workspace_id })
    const [again] = await world.service.sql<{ id: string }>(
      `insert into svc_jobs.job (name, data, policy) values ('mail_team_invitation', $1, 'standard') returning id`,
      [job?.data],
    )
    for (let state = ''; state !== 'completed';)
      state =
        (
          await world.service.sql<{ state: string }>('select state::text from svc_jobs.job where id = $1', [
            again?.id,
          ])
        )[0]?.state ?? ''
    assert.equal(world.mailbox.messages.filter(({ to }) => to === email).length, 1)
  })
})
