import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../harness/service.ts'

describe('GET /v1/workspaces/{workspace_id}', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  const members = {} as Record<'admin' | 'member' | 'viewer', Person>
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    for (const role of ['admin', 'member', 'viewer'] as const) members[role] = service.person(role)
    workspace_id = await service.workspace('Harbor Street Partners', olivia, members)
  })
  after(() => service.close())

  const get = (headers: Record<string, string>, path = workspace_id, header = path) =>
    service.request(`/v1/workspaces/${path}`, { headers: { 'svc-workspace-id': header, ...headers } })
  const token = (person: Person) => ({ authorization: `Bearer ${person.token}` })
  const key = async (scopes: Parameters<TestService['apiKey']>[2], where = workspace_id) => ({
    'x-svc-api-key': (await service.apiKey(where, olivia, scopes)).secret,
  })

  it('returns the Workspace to its owner', async () => {
    const { data, request_id, ...rest } = await olivia.client.getWorkspace({ workspace_id })
    const { created_at, updated_at, ...workspace } = data
    assert.deepEqual(workspace, {
      id: workspace_id,
      name: 'Harbor Street Partners',
      workspace_type: 'team',
      resource_type: 'workspace',
      resource_id: workspace_id,
      status: 'active',
      metadata: {},
      storage_limit_bytes: null,
      revision: 1,
      role: 'owner',
      access: { access_level: 'full_access' },
    })
    assert.equal(created_at, new Date(created_at).toISOString())
    assert.equal(updated_at, created_at)
    assert.match(request_id, /^req_/)
    assert.deepEqual(rest, {})
  })

  it('returns the role of the caller', async () => {
    for (const [role, level] of [
      ['admin', 'full_access'],
      ['member', 'edit'],
      ['viewer', 'view'],
    ] as const) {
      const { data } = await members[role].client.getWorkspace({ workspace_id })
      assert.deepEqual([data.role, data.access.access_level], [role, level])
    }
  })

  it('returns metadata as it was saved', async () => {
    const metadata = { tags: ['a', { deep: null }], 'a key': 1.5, name: 'not the name' }
    const id = await service.workspace('With metadata', olivia)
    await service.sql('update workspaces set metadata = $2 where id = $1', [id, JSON.stringify(metadata)])
    assert.deepEqual((await olivia.client.getWorkspace({ workspace_id: id })).data.metadata, metadata)
  })

  it('requires workspace:read of a key', async () => {
    const allowed = await get(await key(['workspace:read']))
    assert.equal(allowed.status, 200)
    assert.equal(allowed.body.data.role, 'owner')
    const refused = await get(await key(['businesses:read']))
    assert.equal(refused.status, 403)
    assert.equal(refused.body.required_permission, 'workspace:read')
  })

  it('refuses a member without workspace:read', async () => {
    const limited = service.person('Limited')
    const id = await service.workspace('Limiting', olivia, { admin: limited })
    await service.sql(`update memberships set permissions = '{"workspace:read": false}' where user_id = $1`, [
      limited.user_id,
    ])
    const { status, body } = await get(token(limited), id)
    assert.equal(status, 403)
    assert.equal(body.required_permission, 'workspace:read')
  })

  it('returns its revision as ETag, and 304 if the client has it', async () => {
    const id = await service.workspace('Tagged', olivia)
    const first = await get(token(olivia), id)
    assert.equal(first.headers.get('etag'), '"r1"')
    assert.equal(first.headers.get('cache-control'), 'private, no-store')
    const same = await get({ ...token(olivia), 'if-none-match': '"r1"' }, id)
    assert.equal(same.status, 304)
    assert.equal(same.text, '')
    assert.equal(same.headers.get('etag'), '"r1"')
    await service.sql(`update workspaces set name = 'Renamed', revision = 2 where id = $1`, [id])
    const changed = await get({ ...token(olivia), 'if-none-match': '"r1"' }, id)
    assert.equal(changed.status, 200)
    assert.equal(changed.headers.get('etag'), '"r2"')
    assert.equal(changed.body.data.name, 'Renamed')
  })

  it('refuses strangers in the same way whether or not it exists, also with If-None-Match', async () => {
    const stranger = service.person('Stranger')
    const said: unknown[] = []
    for (const [headers, id] of [
      [token(stranger), workspace_id],
      [token(stranger), randomUUID()],
      [{ ...token(stranger), 'if-none-match': '*' }, workspace_id],
      [token(service.person('Anonymous', { is_anonymous: true })), workspace_id],
      [await key(['workspace:read'], await service.workspace('Other', olivia)), workspace_id],
    ] as [Record<string, string>, string][]) {
      const { status, body } = await get(headers, id)
      assert.equal(status, 403)
      const { request_id: _, instance: __, ...rest } = body
      said.push(rest)
    }
    for (const one of said) assert.deepEqual(one, said[0])
  })

  it('refuses former members, and everybody once it is closed, but not while it is suspended', async () => {
    const gone = service.person('Gone')
    const id = await service.workspace('Ending', olivia, { member: gone })
    await service.sql(`update memberships set status = 'removed' where user_id = $1`, [gone.user_id])
    assert.equal((await get(token(gone), id)).status, 403)
    await service.sql(`update workspaces set status = 'suspended' where id = $1`, [id])
    assert.equal((await get(token(olivia), id)).body.data.status, 'suspended')
    await service.sql(`update workspaces set status = 'closed' where id = $1`, [id])
    assert.equal((await get(token(olivia), id)).status, 403)
  })

  it('ignores case in header and path, but refuses two different Workspaces', async () => {
    assert.equal((await get(token(olivia), workspace_id, workspace_id.toUpperCase())).status, 200)
    assert.equal((await get(token(olivia), workspace_id.toUpperCase(), workspace_id)).status, 200)
    const { status, body } = await get(token(olivia), workspace_id, await service.workspace('Other', olivia))
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((error: { in: string; code: string }) => [error.in, error.code]),
      [['path', 'conflict']],
    )
  })

  it('requires a valid credential and the header', async () => {
    assert.equal((await get({})).status, 401)
    assert.equal((await get({ authorization: 'Bearer garbage' })).status, 401)
    const { status, body } = await service.request(`/v1/workspaces/${workspace_id}`, { token: olivia.token })
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
      [['/SVC-Workspace-Id', 'required']],
    )
  })

  it('accepts no parameters', async () => {
    const { status } = await service.request(`/v1/workspaces/${workspace_id}?fields=name`, {
      headers: { ...token(olivia), 'svc-workspace-id': workspace_id },
    })
    assert.equal(status, 400)
  })
})
