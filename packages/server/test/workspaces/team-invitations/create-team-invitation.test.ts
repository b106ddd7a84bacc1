import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scopes } from '@wbs/contract/scopes'
import { isProblem } from '@wbs/sdk'
import { tokenIn } from '../../harness/invitations.ts'
import { eventually } from '../../harness/eventually.ts'
import { refusedWith, someAddress, startInvitationWorld, type InvitationWorld } from './invitation-world.ts'

describe('POST /v1/team/invitations', () => {
  let world: InvitationWorld
  before(async () => void (world = await startInvitationWorld()))
  after(() => world.service.close())

  it('creates a pending invitation, valid for 14 days by the clock of the database', async () => {
    const { owner, workspace_id, events } = await world.team()
    const answer = await owner.client.createTeamInvitation(
      { email: ' Zoe+Deals@Example.com ', role: 'admin' },
      { workspace_id },
    )
    const { invitation_id, expires_at, created_at, updated_at, ...rest } = answer.data
    assert.deepEqual(rest, {
      workspace_id,
      email: 'Zoe+Deals@Example.com',
      role: 'admin',
      status: 'pending',
      invited_by: { user_id: owner.user_id, name: 'Olivia' },
      revision: 1,
    })
    assert.equal(created_at, updated_at)
    const [row] = await world.service.sql<{ days: number; email_key: string }>(
      `select extract(epoch from expires_at - now()) / 86400 as days, email_key from team_invitations where id = $1`,
      [invitation_id],
    )
    assert.ok(Math.abs(Number(row?.days) - 14) < 0.01)
    assert.ok(Math.abs(Date.parse(expires_at) - Date.now() - 14 * 86_400_000) < 600_000)
    assert.equal(row?.email_key, 'zoe+deals@example.com')
    assert.equal(answer.action_receipt.operation, 'create_team_invitation')
    assert.deepEqual(answer.action_receipt.resource, { type: 'team_invitation', id: invitation_id })
    assert.deepEqual(await events(), ['workspace.created', 'team_invitation.created'])
  })

  it('mails a link with the token of the invitation', async () => {
    const { owner, workspace_id } = await world.team()
    const email = someAddress()
    await owner.client.createTeamInvitation({ email: email.toUpperCase(), role: 'viewer' }, { workspace_id })
    const message = await eventually(() => world.mailbox.messages.find(({ to }) => to === email))
    assert.match(message.subject, /Harbor Street Partners/)
    assert.match(message.text, /Olivia invites you .* as a viewer/)
    assert.ok(message.text.includes(`${world.service.base_url}/invitations#token=svi_`))
    const { data } = await world.service.anonymous.inspectInvitation({ token: tokenIn(message.text) })
    assert.equal(data.role, 'viewer')
  })

  it('writes to the ASCII form of an international domain', async () => {
    const { owner, workspace_id } = await world.team()
    const local = randomUUID()
    const { data } = await owner.client.createTeamInvitation(
      { email: `${local}@HÄFEN.example`, role: 'member' },
      { workspace_id },
    )
    assert.equal(data.email, `${local}@HÄFEN.example`)
    await world.mailbox.token(`${local}@xn--hfen-loa.example`)
  })

  it('stores the token nowhere: not in a table, an answer, the log or the job', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const email = someAddress()
    const idempotency_key = randomUUID()
    const first = await owner.client.createTeamInvitation(
      { email, role: 'member' },
      { workspace_id, idempotency_key },
    )
    const token = await world.mailbox.token(email)
    const again = await owner.client.createTeamInvitation(
      { email, role: 'member' },
      { workspace_id, idempotency_key },
    )
    await invite(email)
    const tables = await world.service.sql<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace in ('svc'::regnamespace, 'svc_jobs'::regnamespace) and c.relkind = 'r'`,
    )
    assert.ok(tables.some(({ name }) => name === 'svc_jobs.job_common'))
    const rows = await Promise.all(
      tables.map(({ name }) => world.service.sql(`select t::text from ${name} t`)),
    )
    const kept = JSON.stringify([rows, first, again, world.service.logged])
    assert.ok(kept.includes(email))
    const digest = createHash('sha256').update(token).digest('hex')
    for (const secret of [
      token,
      token.slice(4),
      Buffer.from(token).toString('hex'),
      Buffer.from(token).toString('base64'),
    ])
      assert.ok(!kept.includes(secret))
    assert.ok(!JSON.stringify([first, again, world.service.logged]).includes(digest))
  })

  it('creates one invitation and one mail for sixteen requests with one key', async () => {
    const { owner, workspace_id } = await world.team()
    const email = someAddress()
    const idempotency_key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        owner.client.createTeamInvitation({ email, role: 'member' }, { workspace_id, idempotency_key }),
      ),
    )
    assert.equal(new Set(answers.map(({ data }) => data.invitation_id)).size, 1)
    assert.equal(answers.filter(answer => !answer.idempotent_replay).length, 1)
    await world.mailbox.token(email)
    await sleep(700)
    assert.equal(world.mailbox.messages.filter(({ to }) => to === email).length, 1)
  })

  it('mails nothing if the change is rolled back', async () => {
    const { owner, workspace_id } = await world.team()
    const email = someAddress()
    await world.service.sql(`alter table receipts add constraint broken check (false) not valid`)
    try {
      const call = owner.client.createTeamInvitation({ email, role: 'member' }, { workspace_id })
      await assert.rejects(call, refusedWith('internal_error'))
    } finally {
      await world.service.sql('alter table receipts drop constraint broken')
    }
    await (await world.team()).invite()
    await sleep(700)
    assert.equal(world.mailbox.messages.filter(({ to }) => to === email).length, 0)
  })

  it('updates the invitation of an invited address: answers 200, with the new role and only the new link valid', async () => {
    const { owner, workspace_id, events } = await world.team()
    const email = someAddress()
    const first = await owner.client.createTeamInvitation({ email, role: 'viewer' }, { workspace_id })
    const old = await world.mailbox.token(email)
    const { status, body } = await world.service.request('/v1/team/invitations', {
      method: 'POST',
      token: owner.token,
      headers: {
        'svc-workspace-id': workspace_id,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ email: email.toUpperCase(), role: 'admin' }),
    })
    assert.equal(status, 200)
    assert.equal(body.data.invitation_id, first.data.invitation_id)
    assert.deepEqual([body.data.role, body.data.revision, body.data.status], ['admin', 2, 'pending'])
    assert.ok(body.data.expires_at >= first.data.expires_at)
    const token = await world.mailbox.token(email, 2)
    assert.notEqual(token, old)
    await assert.rejects(world.service.anonymous.inspectInvitation({ token: old }), refusedWith('not_found'))
    assert.equal((await world.service.anonymous.inspectInvitation({ token })).data.role, 'admin')
    assert.deepEqual((await events()).slice(1), ['team_invitation.created', 'team_invitation.resent'])
  })

  it('creates one invitation for many concurrent requests with one address', async () => {
    const { owner, workspace_id } = await world.team()
    const email = someAddress()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        owner.client.createTeamInvitation({ email, role: 'member' }, { workspace_id }),
      ),
    )
    assert.equal(new Set(answers.map(({ data }) => data.invitation_id)).size, 1)
    assert.deepEqual(
      answers.map(({ data }) => data.revision).sort((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
  })

  it('sends an expired invitation again', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { invitation_id, email } = await invite()
    await world.service.sql(`update team_invitations set expires_at = now() where id = $1`, [invitation_id])
    const { data } = await owner.client.createTeamInvitation({ email, role: 'member' }, { workspace_id })
    assert.deepEqual([data.invitation_id, data.status], [invitation_id, 'pending'])
  })

  it('creates a new invitation after the earlier one was revoked', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { invitation_id, email } = await invite()
    await owner.client.revokeTeamInvitation({ invitation_id }, { workspace_id })
    const { data } = await owner.client.createTeamInvitation({ email, role: 'member' }, { workspace_id })
    assert.notEqual(data.invitation_id, invitation_id)
  })

  it('refuses the address of an active member, in any spelling', async () => {
    const member = world.holder('mia@xn--hfen-loa.example', 'Mia')
    const { owner, workspace_id } = await world.team(undefined, { member })
    for (const email of [
      owner.email,
      owner.email.toUpperCase(),
      'Mia@häfen.example',
      'mia@XN--HFEN-LOA.example',
    ])
      await assert.rejects(
        owner.client.createTeamInvitation({ email, role: 'viewer' }, { workspace_id }),
        refusedWith('already_exists'),
      )
    await world.service.sql(
      `update memberships set status = 'removed' where workspace_id = $1 and user_id = $2`,
      [workspace_id, member.user_id],
    )
    await owner.client.createTeamInvitation({ email: 'mia@häfen.example', role: 'viewer' }, { workspace_id })
  })

  it('refuses the 501st pending invitation; expired and ended ones do not count', async () => {
    const { owner, workspace_id, invite } = await world.team()
    const { email } = await invite()
    await world.service.sql(
      `insert into team_invitations (workspace_id, id, email, email_key, role, token_digest, invited_by, expires_at, created_at, updated_at)
       select $1, gen_random_uuid(), n || '@x.example', n || '@x.example', 'viewer', sha256(($1::uuid || n::text)::bytea), $2,
              now() + interval '1 day', now(), now() from generate_series(1, 499) n`,
      [workspace_id, owner.user_id],
    )
    const more = () =>
      owner.client.createTeamInvitation({ email: someAddress(), role: 'viewer' }, { workspace_id })
    await assert.rejects(more(), refusedWith('limit_reached'))
    await owner.client.createTeamInvitation({ email, role: 'viewer' }, { workspace_id })
    await world.service.sql(
      `update team_invitations set expires_at = now() where workspace_id = $1 and email = '7@x.example'`,
      [workspace_id],
    )
    await more()
    await assert.rejects(more(), refusedWith('limit_reached'))
  })

  it('refuses a role with permissions that the sender lacks', async () => {
    const member = world.service.person('Mia')
    const { owner, workspace_id } = await world.team(undefined, { member })
    await world.service.sql(
      `update memberships set permissions = '{"team:manage": true}' where workspace_id = $1 and user_id = $2`,
      [workspace_id, member.user_id],
    )
    const { secret } = await world.service.apiKey(workspace_id, owner, scopes)
    const asKey = world.service.client({ api_key: secret })
    await member.client.createTeamInvitation({ email: someAddress(), role: 'member' }, { workspace_id })
    await asKey.createTeamInvitation({ email: someAddress(), role: 'member' }, { workspace_id })
    for (const [client, lacking] of [
      [member.client, 'workspace:manage'],
      [asKey, 'api_keys:manage'],
    ] as const)
      await assert.rejects(
        client.createTeamInvitation({ email: someAddress(), role: 'admin' }, { workspace_id }),
        error => isProblem(error, 'forbidden') && error.problem.required_permission === lacking,
      )
    const email = someAddress()
    await owner.client.createTeamInvitation({ email, role: 'admin' }, { workspace_id })
    await assert.rejects(
      member.client.createTeamInvitation({ email, role: 'viewer' }, { workspace_id }),
      refusedWith('forbidden'),
      'nor takes one away',
    )
  })

  it('refuses a suspended Workspace', async () => {
    const { owner, workspace_id } = await world.team()
    await world.service.sql(`update workspaces set status = 'suspended' where id = $1`, [workspace_id])
    await assert.rejects(
      owner.client.createTeamInvitation({ email: someAddress(), role: 'viewer' }, { workspace_id }),
      refusedWith('state_conflict'),
    )
  })

  describe('accepts as an address', () => {
    for (const email of [
      "o'neil+a.b@example.com",
      'a@b.co',
      '!#$%&*+/=?^_`{|}~-@example.com',
      '1@1.example',
      `${'a'.repeat(64)}@${'b'.repeat(63)}.example`,
      'zoe@例え.テスト',
      'zoe@xn--r8jz45g.xn--zckzah',
    ])
      it(email, async () => {
        const { owner, workspace_id } = await world.team()
        const { data } = await owner.client.createTeamInvitation({ email, role: 'viewer' }, { workspace_id })
        assert.equal(data.email, email)
      })
  })

  describe('refuses as a body', () => {
    const email = 'zoe@example.com'
    const refused: [title: string, body: object, pointer: string, code: string][] = [
      ['no address', { role: 'viewer' }, '/email', 'required'],
      ['no role', { email }, '/role', 'required'],
      ['the role of an owner', { email, role: 'owner' }, '/role', 'unknown'],
      ['a role that there is not', { email, role: 'guest' }, '/role', 'unknown'],
      ['a name for an address', { email: 'zoe', role: 'viewer' }, '/email', 'format'],
      ['an address without a domain', { email: 'zoe@', role: 'viewer' }, '/email', 'format'],
      ['an address of a single host', { email: 'zoe@localhost', role: 'viewer' }, '/email', 'format'],
      ['a name with an address', { email: 'Zoe <zoe@example.com>', role: 'viewer' }, '/email', 'format'],
      ['two addresses', { email: 'a@example.com,b@example.com', role: 'viewer' }, '/email', 'format'],
      ['a header', { email: 'a@example.com\r\nBcc: b@example.com', role: 'viewer' }, '/email', 'format'],
      ['a quoted address', { email: '"a b"@example.com', role: 'viewer' }, '/email', 'format'],
      ['an address of a number', { email: 'a@[127.0.0.1]', role: 'viewer' }, '/email', 'format'],
      ['letters beyond ASCII before the @', { email: 'zoë@example.com', role: 'viewer' }, '/email', 'format'],
      ['two dots', { email: 'a..b@example.com', role: 'viewer' }, '/email', 'format'],
      ['a domain that no name can be', { email: 'a@\u0301x.example', role: 'viewer' }, '/email', 'format'],
      ['a domain with an edge of a hyphen', { email: 'a@b-.example', role: 'viewer' }, '/email', 'format'],
      ['a domain of digits', { email: 'a@127.0.0.1', role: 'viewer' }, '/email', 'format'],
      ['a number for a domain', { email: 'a@0x7f.1', role: 'viewer' }, '/email', 'format'],
      ['too long a label', { email: `a@${'b'.repeat(64)}.example`, role: 'viewer' }, '/email', 'format'],
      ['text that turns around', { email: 'a@b\u202e.example', role: 'viewer' }, '/email', 'format'],
      [
        'too long an address',
        { email: `a@${'b.'.repeat(130)}example`, role: 'viewer' },
        '/email',
        'too_long',
      ],
      ['a token', { email, role: 'viewer', token: 'x' }, '/token', 'unknown'],
    ]
    for (const [title, body, pointer, code] of refused)
      it(title, async () => {
        const { owner, workspace_id } = await world.team()
        const call = owner.client.createTeamInvitation(body as never, { workspace_id })
        await assert.rejects(call, error => {
          assert.ok(isProblem(error, 'validation_error'))
          assert.deepEqual(
            error.problem.errors.map(one => [one.in, one.pointer, one.code]),
            [['body', pointer, code]],
          )
          return true
        })
      })
  })
})
