import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isProblem } from '@wbs/sdk'
import {
  refusedWith,
  someAddress,
  startInvitationWorld,
  type InvitationWorld,
} from '../workspaces/team-invitations/invitation-world.ts'
import { rowChanges } from '../harness/transactions/row-changes.ts'

let world: InvitationWorld
before(async () => void (world = await startInvitationWorld()))
after(() => world.service.close())

const unknown = `svi_${'A'.repeat(43)}`

describe('POST /v1/invitations/inspect', () => {
  it('describes the invitation with a masked address', async () => {
    const { invite } = await world.team()
    const email = `olive.${randomUUID().slice(0, 8)}@mail.example.com`
    const { token } = await invite(email, 'admin')
    const { data } = await world.service.anonymous.inspectInvitation({ token })
    const { expires_at, ...rest } = data
    assert.deepEqual(rest, {
      kind: 'team',
      workspace_name: 'Harbor Street Partners',
      inviter_name: 'Olivia',
      masked_email: 'o…@m….com',
      role: 'admin',
      status: 'pending',
    })
    assert.ok(Date.parse(expires_at) > Date.now())
  })

  it('changes nothing, and is not cached', async () => {
    const { invite } = await world.team()
    const { token } = await invite()
    await rowChanges(world.service)
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await world.service.request('/v1/invitations/inspect', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      })
      assert.equal(status, 200)
      assert.equal(headers.get('cache-control'), 'private, no-store')
    }
    assert.deepEqual(await rowChanges(world.service), [])
  })

  it('answers in the same way for unknown and malformed tokens', async () => {
    const { invite } = await world.team()
    const { token } = await invite()
    const answers = await Promise.all(
      [
        unknown,
        '',
        'x',
        `${token}x`,
        token.slice(0, -1),
        token.toUpperCase(),
        ` ${token}`,
        'svi_',
        '\u{1f600}',
      ].map(async text => {
        const { status, body } = await world.service.request('/v1/invitations/inspect', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: text }),
        })
        const { request_id: _, ...rest } = body
        return { status, rest }
      }),
    )
    assert.equal(answers[0]?.status, 404)
    for (const answer of answers) assert.deepEqual(answer, answers[0])
  })

  it('returns its status', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const status = async (token: string) =>
      (await world.service.anonymous.inspectInvitation({ token })).data.status
    const [revoked, accepted, declined, expired] = await Promise.all(
      Array.from({ length: 4 }, () => invite()),
    )
    assert.ok(revoked && accepted && declined && expired)
    await owner.client.revokeTeamInvitation({ invitation_id: revoked.invitation_id }, { workspace_id })
    await world.holder(accepted.email).client.acceptInvitation({ token: accepted.token })
    await world.holder(declined.email).client.declineInvitation({ token: declined.token })
    await world.service.sql('update team_invitations set expires_at = now() where id = $1', [
      expired.invitation_id,
    ])
    assert.deepEqual(
      await Promise.all([revoked, accepted, declined, expired].map(one => status(one.token))),
      ['revoked', 'accepted', 'declined', 'expired'],
    )
  })
})

describe('POST /v1/invitations/accept', () => {
  it('makes the invitee a member with the role of the invitation', async () => {
    const { owner, workspace_id, invite, events, memberships } = await world.team()
    const { invitation_id, email, token } = await invite(someAddress(), 'viewer')
    const zoe = world.holder(email, 'Zoe')
    const answer = await zoe.client.acceptInvitation({ token })
    assert.deepEqual(
      [answer.data?.invitation_id, answer.data?.status, answer.data?.revision],
      [invitation_id, 'accepted', 2],
    )
    assert.deepEqual(
      [answer.membership?.user_id, answer.membership?.role, answer.membership?.status],
      [zoe.user_id, 'viewer', 'active'],
    )
    assert.deepEqual([answer.workspace?.id, answer.workspace?.name], [workspace_id, 'Harbor Street Partners'])
    assert.deepEqual(answer.access, { access_level: 'view' })
    assert.deepEqual(
      [answer.action_receipt.operation, answer.action_receipt.workspace_id],
      ['accept_invitation', workspace_id],
    )
    assert.deepEqual(
      (await zoe.client.listWorkspaces()).data.map(({ id, role }) => [id, role]),
      [[workspace_id, 'viewer']],
    )
    const { data } = await owner.client.getTeamInvitation({ invitation_id }, { workspace_id })
    assert.deepEqual(answer.data, data)
    assert.deepEqual((await events()).slice(2), ['team_invitation.accepted', 'member.joined'])
    const [joined] = await world.service.sql(
      `select subject, about, data from events where workspace_id = $1 and type = 'member.joined'`,
      [workspace_id],
    )
    assert.deepEqual(joined?.about, { user_id: zoe.user_id, email, name: 'Zoe' })
    assert.deepEqual(joined?.data, { role: 'viewer', invitation_id })
    assert.equal((await memberships()).length, 2)
  })

  it('and declining store only a keyed digest of the token', async () => {
    const { invite } = await world.team()
    const [one, other] = [await invite(), await invite()]
    await world.holder(one.email).client.acceptInvitation({ token: one.token })
    await world.holder(other.email).client.declineInvitation({ token: other.token })
    const tables = await world.service.sql<{ name: string }>(
      `select oid::regclass::text as name from pg_class
       where relnamespace in ('svc'::regnamespace, 'svc_jobs'::regnamespace) and relkind = 'r'`,
    )
    const rows = await Promise.all(
      tables.map(({ name }) => world.service.sql(`select t::text from ${name} t`)),
    )
    const kept = JSON.stringify([rows, world.service.logged])
    for (const { email, token } of [one, other]) {
      assert.ok(kept.includes(email))
      for (const secret of [token.slice(4), Buffer.from(token).toString('hex')])
        assert.ok(!kept.includes(secret))
    }
  })

  it('is replayed to a caller who is still a member', async () => {
    const { workspace_id, invite } = await world.team()
    const { email, token } = await invite()
    const zoe = world.holder(email)
    const idempotency_key = randomUUID()
    const accept = () => zoe.client.acceptInvitation({ token }, { idempotency_key })
    const first = await accept()
    const again = await accept()
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual([again.data, again.membership], [first.data, first.membership])
    await world.service.sql(
      `update memberships set status = 'removed' where workspace_id = $1 and user_id = $2`,
      [workspace_id, zoe.user_id],
    )
    await assert.rejects(accept(), refusedWith('forbidden'))
  })

  it('compares addresses in lower case and domains in ASCII; what follows a + is part of the address', async () => {
    const { invite } = await world.team()
    const local = randomUUID().slice(0, 8)
    const { token } = await invite(`${local}@xn--hfen-loa.example`)
    await assert.rejects(
      world.holder(`${local}+a@xn--hfen-loa.example`).client.acceptInvitation({ token }),
      refusedWith('forbidden'),
    )
    await world.holder(`${local.toUpperCase()}@Häfen.example`).client.acceptInvitation({ token })
  })

  it('refuses another address, an unverified one, and none', async () => {
    const { invite, memberships } = await world.team()
    const { email, token } = await invite()
    const others = [
      world.holder(`x${email}`),
      world.service.person('Zoe', { email, email_verified: false }),
      world.service.person('Zoe', { email, email_verified: undefined }),
      world.service.person('Zoe', { email: undefined }),
    ]
    for (const other of others) {
      await assert.rejects(other.client.acceptInvitation({ token }), refusedWith('forbidden'))
      await assert.rejects(other.client.declineInvitation({ token }), refusedWith('forbidden'))
    }
    assert.equal((await memberships()).length, 1)
    await world.holder(email).client.acceptInvitation({ token })
  })

  it('answers 404 for unknown and malformed tokens', async () => {
    const zoe = world.holder(someAddress())
    for (const token of [unknown, '', 'x', '\u{1f600}'])
      for (const answer of [zoe.client.acceptInvitation, zoe.client.declineInvitation])
        await assert.rejects(answer({ token }), refusedWith('not_found'))
  })

  it('is refused after 14 days by the clock of the database', async () => {
    const { invite } = await world.team()
    const { invitation_id, email, token } = await invite()
    await world.service.sql(`update team_invitations set expires_at = now() where id = $1`, [invitation_id])
    await assert.rejects(world.holder(email).client.acceptInvitation({ token }), refusedWith('gone'))
    await assert.rejects(world.holder(email).client.declineInvitation({ token }), refusedWith('gone'))
    await world.service.sql(
      `update team_invitations set expires_at = now() + interval '1 minute' where id = $1`,
      [invitation_id],
    )
    await world.holder(email).client.acceptInvitation({ token })
  })

  it('refuses an active member, and keeps the invitation', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { invitation_id, email, token } = await invite()
    const zoe = world.holder(email)
    await zoe.client.acceptInvitation({ token })
    await world.service.sql(
      `update team_invitations set status = 'pending', accepted_by = null where id = $1`,
      [invitation_id],
    )
    await assert.rejects(zoe.client.acceptInvitation({ token }), refusedWith('already_exists'))
    const { data } = await owner.client.getTeamInvitation({ invitation_id }, { workspace_id })
    assert.equal(data.status, 'pending')
  })

  it('creates a new membership for a former member', async () => {
    const zoe = world.holder(someAddress())
    const { workspace_id, invite, memberships } = await world.team(undefined, { member: zoe })
    await world.service.sql(
      `update memberships set status = 'removed' where workspace_id = $1 and user_id = $2`,
      [workspace_id, zoe.user_id],
    )
    const { token } = await invite(zoe.email, 'viewer')
    await zoe.client.acceptInvitation({ token })
    assert.deepEqual(
      (await memberships())
        .filter(({ user_id }) => user_id === zoe.user_id)
        .map(({ status, role }) => [status, role]),
      [
        ['removed', 'member'],
        ['active', 'viewer'],
      ],
    )
  })

  for (const status of ['suspended', 'closed'])
    it(`is refused while the Workspace is ${status}, and so is declining`, async () => {
      const { workspace_id, invite, memberships } = await world.team()
      const { email, token } = await invite()
      await world.service.sql(`update workspaces set status = $2 where id = $1`, [workspace_id, status])
      const zoe = world.holder(email)
      for (const answer of [zoe.client.acceptInvitation, zoe.client.declineInvitation])
        await assert.rejects(
          answer({ token }),
          error => isProblem(error, 'state_conflict') && error.problem.current_status === status,
        )
      assert.equal((await memberships()).length, 1)
    })

  const codeOf = (outcome: PromiseSettledResult<unknown>) =>
    outcome.status === 'fulfilled' ? 'done' : (outcome.reason as { problem: { code: string } }).problem.code

  it('creates one membership for sixteen concurrent requests of one person', async () => {
    const { invite, memberships, events } = await world.team()
    const { email, token } = await invite()
    const zoe = world.holder(email)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, () => zoe.client.acceptInvitation({ token })),
    )
    const codes = outcomes.map(codeOf)
    assert.equal(codes.filter(code => code === 'done').length, 1)
    assert.deepEqual(new Set(codes), new Set(['done', 'state_conflict']))
    assert.equal((await memberships()).length, 2)
    assert.equal((await events()).filter(type => type === 'member.joined').length, 1)
  })

  it('makes one of sixteen people with the same mailbox a member', async () => {
    const { invite, memberships } = await world.team()
    const { email, token } = await invite()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, () => world.holder(email).client.acceptInvitation({ token })),
    )
    assert.deepEqual(
      outcomes.map(codeOf).sort(),
      ['done', ...Array<string>(15).fill('state_conflict')].sort(),
    )
    assert.equal((await memberships()).length, 2)
  })

  it('and revoking at the same time: only one succeeds', async () => {
    const { owner, workspace_id, invite, memberships } = await world.team()
    for (let round = 0; round < 6; round++) {
      const { invitation_id, email, token } = await invite()
      const before = (await memberships()).length
      const [accepted, revoked] = await Promise.allSettled([
        world.holder(email).client.acceptInvitation({ token }),
        owner.client.revokeTeamInvitation({ invitation_id }, { workspace_id }),
      ])
      const joined = (await memberships()).length - before
      const { data } = await owner.client.getTeamInvitation({ invitation_id }, { workspace_id })
      assert.deepEqual(
        [codeOf(accepted), codeOf(revoked), joined, data.status],
        joined === 1 ? ['done', 'state_conflict', 1, 'accepted'] : ['not_found', 'done', 0, 'revoked'],
      )
    }
  })
})

describe('POST /v1/invitations/decline', () => {
  it('ends the invitation', async () => {
    const { owner, workspace_id, invite, events, memberships } = await world.team()
    const { invitation_id, email, token } = await invite()
    const zoe = world.holder(email)
    const { data, action_receipt } = await zoe.client.declineInvitation({ token })
    const read = await owner.client.getTeamInvitation({ invitation_id }, { workspace_id })
    assert.deepEqual(data, read.data)
    assert.deepEqual([data?.status, data?.revision], ['declined', 2])
    assert.equal(action_receipt.operation, 'decline_invitation')
    assert.equal((await memberships()).length, 1)
    assert.equal((await events()).at(-1), 'team_invitation.declined')
    await assert.rejects(zoe.client.acceptInvitation({ token }), refusedWith('not_found'))
    await assert.rejects(zoe.client.declineInvitation({ token }), refusedWith('not_found'))
  })

  it('is replayed to the invitee, and to nobody else', async () => {
    const { invite } = await world.team()
    const { email, token } = await invite()
    const zoe = world.holder(email)
    const idempotency_key = randomUUID()
    const first = await zoe.client.declineInvitation({ token }, { idempotency_key })
    const again = await zoe.client.declineInvitation({ token }, { idempotency_key })
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual(again.data, first.data)
    const moved = world.service.person('Zoe', { sub: zoe.subject, email: someAddress() })
    await assert.rejects(
      moved.client.declineInvitation({ token }, { idempotency_key }),
      refusedWith('forbidden'),
    )
    const other = await invite()
    await assert.rejects(
      world.holder(email).client.declineInvitation({ token: other.token }, { idempotency_key }),
      refusedWith('forbidden'),
    )
    const mine = await invite(email)
    await assert.rejects(
      zoe.client.declineInvitation({ token: mine.token }, { idempotency_key }),
      refusedWith('idempotency_key_reused'),
    )
  })
})
