import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { addBusinesses } from '../../harness/businesses.ts'

describe('who may list the Businesses of a Workspace', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  const members = {} as Record<'admin' | 'member' | 'viewer', Person>
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    for (const role of ['admin', 'member', 'viewer'] as const) members[role] = service.person(role)
    workspace_id = await service.workspace('Harbor Street Partners', olivia, members)
    for (const id of await addBusinesses(service, [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }]))
      await service.link(workspace_id, id, olivia)
  })
  after(() => service.close())

  const get = (
    credential: Record<string, string>,
    header: string | undefined = workspace_id,
    path = header,
  ) =>
    service.request(`/v1/workspaces/${path}/businesses`, {
      headers: { ...credential, ...(header && { 'svc-workspace-id': header }) },
    })
  const token = (person: Person) => ({ authorization: `Bearer ${person.token}` })
  const key = async (owner: Person, scopes: Parameters<TestService['apiKey']>[2], where = workspace_id) => ({
    'x-svc-api-key': (await service.apiKey(where, owner, scopes)).secret,
  })

  it('members of every role', async () => {
    for (const person of [olivia, ...Object.values(members)]) {
      const { status, body } = await get(token(person))
      assert.equal(status, 200)
      assert.equal(body.data.length, 3)
    }
  })

  it('keys with businesses:read', async () => {
    assert.equal((await get(await key(olivia, ['businesses:read']))).body.data.length, 3)
    assert.equal(
      (await get(await key(members.viewer, ['businesses:read', 'businesses:write']))).body.data.length,
      3,
    )
  })

  it('no key without it, and the error names the permission', async () => {
    for (const scopes of [[], ['businesses:write', 'businesses:publish', 'workspace:read']] as const) {
      const { status, body } = await get(await key(olivia, scopes))
      assert.equal(status, 403)
      assert.equal(body.code, 'forbidden')
      assert.equal(body.required_permission, 'businesses:read')
    }
  })

  it('no member from whom it was taken, nor their key', async () => {
    const limited = service.person('Limited')
    const limiting = await service.workspace('Limiting', olivia, { admin: limited })
    const theirs = await key(limited, ['businesses:read'], limiting)
    assert.equal((await get(theirs, limiting)).status, 200)
    await service.sql(
      `update memberships set permissions = '{"businesses:read": false}' where user_id = $1`,
      [limited.user_id],
    )
    for (const credential of [token(limited), theirs]) {
      const { status, body } = await get(credential, limiting)
      assert.equal(status, 403)
      assert.equal(body.required_permission, 'businesses:read')
    }
  })

  it('nobody without standing, with the same error whether or not the Workspace exists', async () => {
    const gone = service.person('Gone')
    await service.workspace('Left', olivia, { member: gone })
    const [left] = await service.sql<{ workspace_id: string }>(
      `update memberships set status = 'removed' where user_id = $1 returning workspace_id`,
      [gone.user_id],
    )
    const closed = await service.workspace('Closed', olivia)
    await service.sql(`update workspaces set status = 'closed' where id = $1`, [closed])
    const absent = await get(token(olivia), randomUUID())
    assert.equal(absent.status, 403)
    const cases: Record<string, [Record<string, string>, string]> = {
      'a stranger': [token(service.person('Stranger')), workspace_id],
      'an anonymous token': [token(service.person('Anonymous', { is_anonymous: true })), workspace_id],
      'a member removed': [token(gone), left?.workspace_id as string],
      'the owner of a closed Workspace': [token(olivia), closed],
      'a key of another Workspace': [
        await key(olivia, ['businesses:read'], await service.workspace('Other', olivia)),
        workspace_id,
      ],
      'a key whose owner was removed': [
        await key(gone, ['businesses:read'], left?.workspace_id),
        left?.workspace_id as string,
      ],
    }
    for (const [title, [credential, where]] of Object.entries(cases)) {
      const refused = await get(credential, where)
      assert.equal(refused.status, 403, title)
      const { request_id: _, instance: __, ...said } = refused.body
      const { request_id: ___, instance: ____, ...saidOfAbsent } = absent.body
      assert.deepEqual(said, saidOfAbsent, title)
    }
  })

  it('nobody without a valid credential', async () => {
    for (const credential of [
      {},
      { authorization: 'Bearer garbage' },
      { 'x-svc-api-key': 'garbage' },
    ] as Record<string, string>[]) {
      const { status, headers } = await get(credential)
      assert.equal(status, 401)
      assert.match(headers.get('www-authenticate') ?? '', /^Bearer /)
    }
  })

  it('is checked on every page', async () => {
    const leaving = service.person('Leaving')
    await service.sql(`insert into users (id, issuer, subject) values ($1, 'x', $2)`, [
      leaving.user_id,
      leaving.subject,
    ])
    await service.sql(
      `insert into memberships (workspace_id, id, user_id, role, status) values ($1, gen_random_uuid(), $2, 'member', 'active')`,
      [workspace_id, leaving.user_id],
    )
    const first = await leaving.client.listWorkspaceBusinesses({ workspace_id, limit: 1 })
    assert.equal(first.page.has_more, true)
    const next = () =>
      service.request(`/v1/workspaces/${workspace_id}/businesses?limit=1&cursor=${first.page.cursor}`, {
        headers: { ...token(leaving), 'svc-workspace-id': workspace_id },
      })
    assert.equal((await next()).status, 200)
    await service.sql(
      `update memberships set permissions = '{"businesses:read": false}' where user_id = $1`,
      [leaving.user_id],
    )
    assert.equal((await next()).body.required_permission, 'businesses:read')
    await service.sql(`update memberships set permissions = '{}', status = 'removed' where user_id = $1`, [
      leaving.user_id,
    ])
    assert.equal((await next()).status, 403)
  })

  it('is checked on every page for a key', async () => {
    const { key_id, secret } = await service.apiKey(workspace_id, olivia, ['businesses:read'])
    const client = service.client({ api_key: secret })
    const first = await client.listWorkspaceBusinesses({ workspace_id, limit: 1 })
    await service.sql('update api_keys set revoked_at = now() where id = $1', [key_id])
    const { status } = await service.request(
      `/v1/workspaces/${workspace_id}/businesses?cursor=${first.page.cursor}`,
      {
        headers: { 'x-svc-api-key': secret, 'svc-workspace-id': workspace_id },
      },
    )
    assert.equal(status, 401)
  })

  it('the header and the path must name the same Workspace, in any case', async () => {
    const upper = workspace_id.toUpperCase()
    for (const [header, path] of [
      [upper, workspace_id],
      [workspace_id, upper],
      [upper, upper],
    ] as const)
      assert.equal((await get(token(olivia), header, path)).status, 200)
  })

  it('another Workspace in the header is refused before either is looked up', async () => {
    const other = await service.workspace('Other', olivia)
    const pairs = [
      [other, workspace_id],
      [workspace_id, other],
      [randomUUID(), workspace_id],
      [workspace_id, randomUUID()],
      [randomUUID(), randomUUID()],
    ] as const
    const said: unknown[] = []
    for (const person of [olivia, service.person('Stranger')])
      for (const [header, path] of pairs) {
        const { status, body } = await get(token(person), header, path)
        assert.equal(status, 400)
        const { request_id: _, instance: __, ...rest } = body
        said.push(rest)
      }
    for (const one of said) assert.deepEqual(one, said[0])
    assert.equal((said[0] as { code: string }).code, 'validation_error')
  })

  it('a key must name its Workspace too', async () => {
    const credential = await key(olivia, ['businesses:read'])
    const { status, body } = await service.request(`/v1/workspaces/${workspace_id}/businesses`, {
      headers: credential,
    })
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
      [['/SVC-Workspace-Id', 'required']],
    )
  })

  it('an invalid header or path is refused, and a missing header', async () => {
    const bare = workspace_id.replaceAll('-', '')
    const cases: [header: string | undefined, path: string, place: string, code: string][] = [
      [undefined, workspace_id, 'header', 'required'],
      [bare, workspace_id, 'header', 'format'],
      [`{${workspace_id}}`, workspace_id, 'header', 'format'],
      ['', workspace_id, 'header', 'format'],
      [workspace_id, bare, 'path', 'format'],
      [workspace_id, `{${workspace_id}}`, 'path', 'format'],
      [workspace_id, 'mine', 'path', 'format'],
    ]
    for (const [header, path, place, code] of cases) {
      const { status, body } = await service.request(`/v1/workspaces/${path}/businesses`, {
        headers: { ...token(olivia), ...(header !== undefined && { 'svc-workspace-id': header }) },
      })
      assert.equal(status, 400, `${header} ${path}`)
      assert.deepEqual(
        body.errors.map((error: { in: string; code: string }) => [error.in, error.code]),
        [[place, code]],
      )
    }
  })
})
