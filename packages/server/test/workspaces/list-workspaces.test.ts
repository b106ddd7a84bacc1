import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isProblem } from '@wbs/sdk'
import { startTestService, type TestService } from '../harness/service.ts'

describe('GET /v1/workspaces', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  const idsOf = (page: { data: readonly { id: string }[] }) => page.data.map(one => one.id)

  it('returns the Workspaces of the caller, with their role', async () => {
    const [olivia, peter] = [service.person('Olivia'), service.person('Peter')]
    const hers = await service.workspace('Hers', olivia)
    const his = await service.workspace('His', peter, { viewer: olivia })
    await service.workspace('His alone', peter)
    const { data, page, request_id, ...rest } = await olivia.client.listWorkspaces()
    assert.deepEqual(
      data.map(
        ({
          id,
          name,
          role,
          access,
          status,
          workspace_type,
          resource_type,
          resource_id,
          revision,
          metadata,
        }) => ({
          id,
          name,
          role,
          access,
          status,
          workspace_type,
          resource_type,
          resource_id,
          revision,
          metadata,
        }),
      ),
      [
        { id: hers, name: 'Hers', role: 'owner', access: { access_level: 'full_access' } },
        { id: his, name: 'His', role: 'viewer', access: { access_level: 'view' } },
      ].map(one => ({
        ...one,
        status: 'active',
        workspace_type: 'team',
        resource_type: 'workspace',
        resource_id: one.id,
        revision: 1,
        metadata: {},
      })),
    )
    assert.deepEqual(page, { cursor: null, has_more: false })
    assert.match(request_id, /^req_/)
    assert.deepEqual(rest, {})
  })

  it('returns an empty page to a new person, and to an anonymous token', async () => {
    for (const person of [service.person('Newcomer'), service.person('Anonymous', { is_anonymous: true })]) {
      const { data, page } = await person.client.listWorkspaces()
      assert.deepEqual(data, [])
      assert.deepEqual(page, { cursor: null, has_more: false })
    }
  })

  it('leaves out former and future memberships', async () => {
    const olivia = service.person('Olivia')
    const peter = service.person('Peter')
    for (const status of ['removed', 'invited'])
      await service.sql(`update memberships set status = $3 where workspace_id = $1 and user_id = $2`, [
        await service.workspace(status, olivia, { member: peter }),
        peter.user_id,
        status,
      ])
    const stays = await service.workspace('active', olivia, { member: peter })
    assert.deepEqual(idsOf(await peter.client.listWorkspaces()), [stays])
  })

  it('returns everything exactly once by id, whatever the page size', async () => {
    const olivia = service.person('Olivia')
    const ids: string[] = []
    for (let i = 0; i < 23; i++)
      ids.push((await olivia.client.createWorkspace({ name: `Numbered ${i}` })).workspace.id)
    ids.sort()
    for (const limit of [1, 2, 7, 11, 12, 22, 23, 24, 100]) {
      const seen: string[] = []
      for await (const one of olivia.client.listWorkspaces.each({ limit })) seen.push(one.id)
      assert.deepEqual(seen, ids, `limit ${limit}`)
    }
    const first = await olivia.client.listWorkspaces()
    assert.deepEqual(idsOf(first), ids.slice(0, 20))
    assert.deepEqual(first.page, { cursor: ids[19], has_more: true })
  })

  it('continues after any well-formed cursor', async () => {
    const [olivia, peter] = [service.person('Olivia'), service.person('Peter')]
    const [one, his, two] = [
      await service.workspace('One', olivia),
      await service.workspace('His', peter),
      await service.workspace('Two', olivia),
    ]
    const after = async (cursor: string) => idsOf(await olivia.client.listWorkspaces({ cursor }))
    assert.deepEqual(await after('00000000-0000-0000-0000-000000000000'), [one, two])
    assert.deepEqual(await after(his), [two])
    assert.deepEqual(await after(one.toUpperCase()), [two])
    assert.deepEqual(await after('ffffffff-ffff-ffff-ffff-ffffffffffff'), [])
  })

  it('ignores the Workspace header', async () => {
    const olivia = service.person('Olivia')
    const id = await service.workspace('Hers', olivia)
    for (const header of [randomUUID(), 'not a uuid']) {
      const { status, body } = await service.request('/v1/workspaces', {
        token: olivia.token,
        headers: { 'svc-workspace-id': header },
      })
      assert.equal(status, 200)
      assert.deepEqual(idsOf(body), [id])
    }
  })

  it('is not cached', async () => {
    const { headers } = await service.request('/v1/workspaces', { token: service.person('Olivia').token })
    assert.equal(headers.get('cache-control'), 'private, no-store')
  })

  it('answers 401 without a valid credential, and 403 for a key', async () => {
    assert.equal((await service.request('/v1/workspaces')).status, 401)
    assert.equal((await service.request('/v1/workspaces', { token: 'garbage' })).status, 401)
    const olivia = service.person('Olivia')
    const { secret } = await service.apiKey(await service.workspace('Hers', olivia), olivia, [
      'workspace:read',
    ])
    await assert.rejects(service.client({ api_key: secret }).listWorkspaces(), error =>
      isProblem(error, 'forbidden'),
    )
  })

  it('refuses invalid parameters', async () => {
    const { token } = service.person('Olivia')
    const cases: [query: string, pointer: string, code: string][] = [
      ['cursor=x', '/cursor', 'format'],
      ['cursor=biz_01JD8Q5W3RZXKT4M2N6P7V9Y0A', '/cursor', 'format'],
      [`cursor=${randomUUID().replaceAll('-', '')}`, '/cursor', 'format'],
      [`cursor={${randomUUID()}}`, '/cursor', 'format'],
      ['limit=0', '/limit', 'out_of_range'],
      ['limit=101', '/limit', 'out_of_range'],
      ['limit=0x10', '/limit', 'type'],
      ['limit=5&limit=5', '/limit', 'conflict'],
      ['name=x', '/name', 'unknown'],
    ]
    for (const [query, pointer, code] of cases) {
      const { status, body } = await service.request(`/v1/workspaces?${query}`, { token })
      assert.equal(status, 400, query)
      assert.deepEqual(
        body.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
        [[pointer, code]],
      )
    }
  })
})
