import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isProblem } from '@wbs/sdk'
import { startTestService, type TestService } from '../harness/service.ts'

describe('POST /v1/workspaces', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  it('creates an active team Workspace with the caller as its owner', async () => {
    const olivia = service.person('Olivia')
    const answer = await olivia.client.createWorkspace({ name: 'Harbor Street Partners' })
    assert.equal(answer.workspace.name, 'Harbor Street Partners')
    assert.equal(answer.workspace.workspace_type, 'team')
    assert.equal(answer.workspace.resource_type, 'workspace')
    assert.equal(answer.workspace.resource_id, answer.workspace.id)
    assert.equal(answer.workspace.status, 'active')
    assert.deepEqual(answer.workspace.metadata, {})
    assert.equal(answer.owner_membership.user_id, olivia.user_id)
    assert.equal(answer.owner_membership.workspace_id, answer.workspace.id)
    assert.equal(answer.owner_membership.role, 'owner')
    assert.equal(answer.owner_membership.status, 'active')
    assert.deepEqual(answer.owner_membership.permissions, {})
    assert.deepEqual(answer.access, { access_level: 'full_access' })
    assert.equal(answer.idempotent_replay, false)
    assert.equal(answer.original_request_id, answer.request_id)
  })

  it('saves one Workspace, membership, receipt and event, all of one command', async () => {
    const olivia = service.person('Olivia')
    const { workspace, owner_membership } = await olivia.client.createWorkspace({ name: 'Atomic' })
    const rows = await service.sql(
      `select w.name, w.created_by, m.id as membership_id, r.operation, r.resource_type, r.resource_id, e.type, e.feed, e.position::int,
              e.command_id = r.command_id and c.command_id = r.command_id as one_command
       from workspaces w join memberships m on m.workspace_id = w.id join receipts r on r.workspace_id = w.id
       join events e on e.workspace_id = w.id join commands c on c.receipt_workspace_id = w.id
       where w.id = $1`,
      [workspace.id],
    )
    assert.deepEqual(rows, [
      {
        name: 'Atomic',
        created_by: olivia.user_id,
        membership_id: owner_membership.id,
        operation: 'create_workspace',
        resource_type: 'workspace',
        resource_id: workspace.id,
        type: 'workspace.created',
        feed: 'audit',
        position: 1,
        one_command: true,
      },
    ])
  })

  it('saves nothing if any part fails', async () => {
    const olivia = service.person('Olivia')
    const idempotency_key = randomUUID()
    for (const table of ['memberships', 'receipts', 'events', 'commands']) {
      await service.sql(`alter table ${table} add constraint broken check (false) not valid`)
      try {
        const { status, body } = await post({ token: olivia.token, name: 'Half', idempotency_key })
        assert.equal(status, 500, table)
        assert.equal(body.code, 'internal_error')
        assert.doesNotMatch(JSON.stringify(body), /broken|constraint|Half/)
      } finally {
        await service.sql(`alter table ${table} drop constraint broken`)
      }
      assert.deepEqual(await service.sql(`select from workspaces where name = 'Half'`), [], table)
      assert.deepEqual(
        await service.sql('select from commands where idempotency_key = $1', [idempotency_key]),
        [],
        table,
      )
    }
    const { status, body } = await post({ token: olivia.token, name: 'Half', idempotency_key })
    assert.equal(status, 201, 'and the key is free')
    assert.equal(body.idempotent_replay, false)
  })

  it('shows the new Workspace to its owner at once', async () => {
    const olivia = service.person('Olivia')
    const { workspace } = await olivia.client.createWorkspace({ name: 'Seen' })
    assert.equal((await olivia.client.getWorkspace({ workspace_id: workspace.id })).data.name, 'Seen')
    assert.deepEqual(
      (await olivia.client.listWorkspaces()).data.map(one => one.id),
      [workspace.id],
    )
  })

  it('answers 201, not to be cached', async () => {
    const { status, headers, body } = await post({
      token: service.person('Olivia').token,
      name: 'On the wire',
    })
    assert.equal(status, 201)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.equal(headers.get('idempotent-replayed'), null)
    assert.equal(headers.get('svc-request-id'), body.request_id)
    assert.deepEqual(Object.keys(body).sort(), [
      'access',
      'idempotent_replay',
      'original_request_id',
      'owner_membership',
      'request_id',
      'workspace',
    ])
  })

  it('ignores the Workspace header', async () => {
    const olivia = service.person('Olivia')
    for (const id of [randomUUID(), 'not a uuid'])
      assert.equal(
        (await post({ token: olivia.token, name: 'Mine', headers: { 'svc-workspace-id': id } })).status,
        201,
      )
  })

  describe('accepts as a name', () => {
    const taken: [title: string, name: string, kept: string][] = [
      ['one character', 'a', 'a'],
      ['one character beyond the first plane', '𠮷', '𠮷'],
      ['200 characters', 'a'.repeat(200), 'a'.repeat(200)],
      ['200 characters beyond the first plane', '𠮷'.repeat(200), '𠮷'.repeat(200)],
      ['200 characters within white space', `\n ${'a'.repeat(200)}\t `, 'a'.repeat(200)],
      ['text within white space of all kinds, without it', '\u3000\u00a0 Harbor \r\n', 'Harbor'],
      ['white space inside, as it is', 'Harbor  Street', 'Harbor  Street'],
      [
        'markup, quotes and backslashes, as they are',
        `<b>"O'Neil" & \\Sons\\</b>`,
        `<b>"O'Neil" & \\Sons\\</b>`,
      ],
      ['letters with loose accents, unlike composed ones', 'Cafe\u0301', 'Cafe\u0301'],
      ['joined emoji', '👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
      ['digits', '0', '0'],
    ]
    for (const [title, name, kept] of taken)
      it(title, async () => {
        const olivia = service.person('Olivia')
        const { workspace } = await olivia.client.createWorkspace({ name })
        assert.equal(workspace.name, kept)
        assert.equal((await olivia.client.getWorkspace({ workspace_id: workspace.id })).data.name, kept)
      })
  })

  describe('refuses as a body', () => {
    const refused: [title: string, body: unknown, pointer: string, code: string][] = [
      ['no name', {}, '/name', 'required'],
      ['an empty name', { name: '' }, '/name', 'too_short'],
      ['a name of white space', { name: ' \t\n\u00a0\u3000' }, '/name', 'too_short'],
      ['a name of 201 characters', { name: 'a'.repeat(201) }, '/name', 'too_long'],
      ['a name of 201 characters beyond the first plane', { name: '𠮷'.repeat(201) }, '/name', 'too_long'],
      ['a line break in the name', { name: 'a\nb' }, '/name', 'format'],
      ['a tab in the name', { name: 'a\tb' }, '/name', 'format'],
      ['U+0000 in the name', { name: 'a\u0000b' }, '/name', 'format'],
      ['U+0001 alone', { name: '\u0001' }, '/name', 'format'],
      ['U+007F in the name', { name: 'a\u007fb' }, '/name', 'format'],
      ['U+0085 in the name', { name: 'a\u0085b' }, '/name', 'format'],
      ['U+009F in the name', { name: 'a\u009fb' }, '/name', 'format'],
      ['half a surrogate pair in the name', { name: 'a\ud800b' }, '/name', 'format'],
      ['null for a name', { name: null }, '/name', 'type'],
      ['a number for a name', { name: 7 }, '/name', 'type'],
      ['a boolean for a name', { name: true }, '/name', 'type'],
      ['a list for a name', { name: ['a'] }, '/name', 'type'],
      ['an object for a name', { name: { name: 'a' } }, '/name', 'type'],
      ['a field that there is not', { name: 'a', nmae: 'b' }, '/nmae', 'unknown'],
      ['a field of the answer', { name: 'a', id: randomUUID() }, '/id', 'unknown'],
      ['metadata', { name: 'a', metadata: {} }, '/metadata', 'unknown'],
      ['a key of every object', { name: 'a', constructor: 'b' }, '/constructor', 'unknown'],
      ['a list', [{ name: 'a' }], '', 'type'],
      ['text', 'a', '', 'type'],
      ['null', null, '', 'type'],
    ]
    for (const [title, sent, pointer, code] of refused)
      it(title, async () => {
        const olivia = service.person('Olivia')
        const { status, body } = await post({ token: olivia.token, body: JSON.stringify(sent) })
        assert.equal(status, 400)
        assert.equal(body.code, 'validation_error')
        assert.deepEqual(
          body.errors.map((error: { in: string; pointer: string; code: string }) => [
            error.in,
            error.pointer,
            error.code,
          ]),
          [['body', pointer, code]],
        )
        assert.deepEqual((await olivia.client.listWorkspaces()).data, [])
      })
  })

  describe('refuses as a caller', () => {
    it('nobody, saying how to sign in', async () => {
      const { status, headers, body } = await post({ name: 'Nobody' })
      assert.equal(status, 401)
      assert.equal(body.code, 'unauthenticated')
      assert.match(headers.get('www-authenticate') ?? '', /^Bearer realm=/)
    })

    it('an invalid token, with the reason', async () => {
      const { status, headers } = await post({ token: 'garbage', name: 'Nobody' })
      assert.equal(status, 401)
      assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/)
    })

    it('an anonymous token', async () => {
      const { status, body } = await post({
        token: service.person('Anonymous', { is_anonymous: true }).token,
        name: 'Nobody',
      })
      assert.equal(status, 403)
      assert.equal(body.code, 'forbidden')
    })

    it('an API key, whatever its scopes', async () => {
      const olivia = service.person('Olivia')
      const { secret } = await service.apiKey(await service.workspace('Home', olivia), olivia, [
        'workspace:manage',
        'workspace:read',
      ])
      const { status, body } = await post({ name: 'Nobody', headers: { 'x-svc-api-key': secret } })
      assert.equal(status, 403)
      assert.equal(body.code, 'forbidden')
      await assert.rejects(service.client({ api_key: secret }).createWorkspace({ name: 'Nobody' }), error =>
        isProblem(error, 'forbidden'),
      )
    })

    it('both credentials at once', async () => {
      const olivia = service.person('Olivia')
      const { secret } = await service.apiKey(await service.workspace('Home', olivia), olivia, [])
      const { status, body } = await post({
        token: olivia.token,
        name: 'Nobody',
        headers: { 'x-svc-api-key': secret },
      })
      assert.equal(status, 400)
      assert.equal(body.code, 'validation_error')
    })

    after(async () => assert.deepEqual(await service.sql(`select from workspaces where name = 'Nobody'`), []))
  })

  interface Post {
    token?: string
    name?: string
    body?: string
    idempotency_key?: string
    headers?: Record<string, string>
  }
  function post({
    token,
    name,
    body = JSON.stringify({ name }),
    idempotency_key = randomUUID(),
    headers,
  }: Post) {
    return service.request('/v1/workspaces', {
      method: 'POST',
      body,
      ...(token !== undefined && { token }),
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotency_key, ...headers },
    })
  }
})
