import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { scopes, type Role, type Scope } from '@wbs/contract/scopes'
import { startTestService, type Person, type TestService } from '../harness/service.ts'

const reads = scopes.filter(scope => scope.endsWith(':read'))
const viewerScopes = [...reads.filter(scope => scope !== 'audit:read'), 'files:download']
const notForMembers = [
  'workspace:manage',
  'team:manage',
  'api_keys:manage',
  'webhooks:manage',
  'audit:read',
  'businesses:publish',
]

describe('GET /v1/me', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  /** The permissions of a client in its only Workspace. */
  async function permissions(client: Person['client']): Promise<readonly string[]> {
    const { data } = await client.getMe()
    assert.equal(data.memberships.length, 1)
    return data.memberships[0]?.effective_permissions ?? []
  }
  const override = (person: Person, permissions: Partial<Record<Scope, boolean>>) =>
    service.sql('update memberships set permissions = $2 where user_id = $1', [
      person.user_id,
      JSON.stringify(permissions),
    ])
  async function memberAs(role: Exclude<Role, 'owner'>): Promise<{ person: Person; workspace_id: string }> {
    const person = service.person(role)
    return {
      person,
      workspace_id: await service.workspace(`With a ${role}`, service.person('Olivia'), { [role]: person }),
    }
  }

  it('describes a person, their memberships and their permissions', async () => {
    const olivia = service.person('Olivia')
    const { workspace, owner_membership } = await olivia.client.createWorkspace({
      name: 'Harbor Street Partners',
    })
    const { data, request_id, ...rest } = await olivia.client.getMe()
    assert.deepEqual(data, {
      user: {
        user_id: olivia.user_id,
        email: olivia.email,
        email_verified: true,
        name: 'Olivia',
        is_anonymous: false,
      },
      credential: { kind: 'access_token', key_id: null, scopes: [] },
      memberships: [
        {
          ...owner_membership,
          workspace_name: 'Harbor Street Partners',
          workspace_status: 'active',
          access: { access_level: 'full_access' },
          effective_permissions: [...scopes],
        },
      ],
      rooms: [],
      rooms_has_more: false,
    })
    assert.equal(data.memberships[0]?.workspace_id, workspace.id)
    assert.match(request_id, /^req_/)
    assert.deepEqual(rest, {})
  })

  it('names every Workspace of a person, with their role in each', async () => {
    const [olivia, peter] = [service.person('Olivia'), service.person('Peter')]
    await service.workspace('Hers', olivia)
    await service.workspace('His', peter, { viewer: olivia })
    const { data } = await olivia.client.getMe()
    assert.deepEqual(
      data.memberships.map(one => [one.workspace_name, one.role, one.access.access_level]),
      [
        ['Hers', 'owner', 'full_access'],
        ['His', 'viewer', 'view'],
      ],
    )
  })

  it('names no Workspace for a new or an anonymous person, nor a former one', async () => {
    const newcomer = service.person('Newcomer')
    assert.deepEqual((await newcomer.client.getMe()).data.memberships, [])
    const anonymous = await service.person('Anonymous', { is_anonymous: true }).client.getMe()
    assert.equal(anonymous.data.user.is_anonymous, true)
    assert.deepEqual(anonymous.data.memberships, [])
    const { person } = await memberAs('member')
    await service.sql(`update memberships set status = 'removed' where user_id = $1`, [person.user_id])
    assert.deepEqual((await person.client.getMe()).data.memberships, [])
  })

  it('returns null for unknown details of a person', async () => {
    const bare = service.person('Bare', { email: undefined, email_verified: undefined, name: undefined })
    assert.deepEqual((await bare.client.getMe()).data.user, {
      user_id: bare.user_id,
      email: null,
      email_verified: false,
      name: null,
      is_anonymous: false,
    })
  })

  const ofRole: Record<Exclude<Role, 'owner'>, readonly string[]> = {
    admin: scopes,
    member: scopes.filter(scope => !notForMembers.includes(scope)),
    viewer: scopes.filter(scope => viewerScopes.includes(scope)),
  }
  for (const role of ['admin', 'member', 'viewer'] as const)
    it(`says what the role ${role} may do`, async () => {
      const { person } = await memberAs(role)
      assert.deepEqual(await permissions(person.client), ofRole[role])
    })

  it('applies single permissions to those of the role', async () => {
    const { person } = await memberAs('viewer')
    await override(person, {
      'businesses:publish': true,
      'rooms:read': false,
      'goals:read': true,
      'goals:write': false,
    })
    const expected = scopes.filter(
      scope => (viewerScopes.includes(scope) && scope !== 'rooms:read') || scope === 'businesses:publish',
    )
    assert.deepEqual(await permissions(person.client), expected)
    const { data } = await person.client.getMe()
    assert.equal(data.memberships[0]?.permissions['rooms:read'], false)
  })

  it('removes single permissions of an owner, too', async () => {
    const olivia = service.person('Olivia')
    await service.workspace('Hers', olivia)
    await override(olivia, { 'exports:run': false })
    assert.deepEqual(
      await permissions(olivia.client),
      scopes.filter(scope => scope !== 'exports:run'),
    )
  })

  it('ignores permissions that do not exist', async () => {
    const { person } = await memberAs('viewer')
    await service.sql(
      `update memberships set permissions = '{"everything": true, "__proto__": true}' where user_id = $1`,
      [person.user_id],
    )
    assert.deepEqual(await permissions(person.client), ofRole.viewer)
  })

  it('grants nothing in a Workspace that is closed', async () => {
    const olivia = service.person('Olivia')
    const id = await service.workspace('Hers', olivia)
    await service.sql(`update workspaces set status = 'closed' where id = $1`, [id])
    assert.deepEqual(await permissions(olivia.client), [])
    assert.equal((await olivia.client.getMe()).data.memberships[0]?.workspace_status, 'closed')
  })

  it('describes the owner and the scopes of a key', async () => {
    const olivia = service.person('Olivia')
    const workspace_id = await service.workspace('Hers', olivia)
    await service.workspace('Hers too', olivia)
    const { key_id, secret } = await service.apiKey(workspace_id, olivia, ['businesses:read', 'rooms:write'])
    const { data } = await service.client({ api_key: secret }).getMe()
    assert.deepEqual(data.credential, { kind: 'api_key', key_id, scopes: ['businesses:read', 'rooms:write'] })
    assert.equal(data.user.user_id, olivia.user_id)
    assert.equal(data.user.name, 'Olivia')
    assert.equal(data.user.is_anonymous, false)
    assert.deepEqual(
      data.memberships.map(one => one.workspace_id),
      [workspace_id],
      'and its one Workspace alone',
    )
    assert.deepEqual(data.memberships[0]?.effective_permissions, ['businesses:read', 'rooms:write'])
  })

  it("limits a key to its scopes, its owner's permissions, and what keys may do", async () => {
    const { person, workspace_id } = await memberAs('viewer')
    await override(person, { 'businesses:publish': true, 'rooms:read': false })
    const { secret } = await service.apiKey(workspace_id, person, [
      'rooms:read',
      'rooms:write',
      'goals:read',
      'businesses:publish',
    ])
    assert.deepEqual(await permissions(service.client({ api_key: secret })), [
      'businesses:publish',
      'goals:read',
    ])

    const olivia = service.person('Olivia')
    const everything = await service.apiKey(await service.workspace('Hers', olivia), olivia, [...scopes])
    const expected = scopes.filter(scope => scope !== 'api_keys:manage' && scope !== 'approvals:decide')
    assert.deepEqual(await permissions(service.client({ api_key: everything.secret })), expected)
  })

  it('grants a key nothing after its owner was removed', async () => {
    const { person, workspace_id } = await memberAs('admin')
    const { secret } = await service.apiKey(workspace_id, person, ['businesses:read'])
    await service.sql(`update memberships set status = 'removed' where user_id = $1`, [person.user_id])
    const { data } = await service.client({ api_key: secret }).getMe()
    assert.deepEqual(data.memberships, [])
    assert.deepEqual(data.credential.scopes, ['businesses:read'])
  })

  it('requires a valid credential', async () => {
    const olivia = service.person('Olivia')
    const workspace_id = await service.workspace('Hers', olivia)
    const revoked = await service.apiKey(workspace_id, olivia, [])
    const expired = await service.apiKey(workspace_id, olivia, [])
    await service.sql('update api_keys set revoked_at = now() where id = $1', [revoked.key_id])
    await service.sql(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [
      expired.key_id,
    ])
    const credentials: [title: string, status: number, Record<string, string>][] = [
      ['none', 401, {}],
      ['garbage', 401, { authorization: 'Bearer garbage' }],
      ['a revoked key', 401, { 'x-svc-api-key': revoked.secret }],
      ['an expired key', 401, { 'x-svc-api-key': expired.secret }],
      ['a key with another end', 401, { 'x-svc-api-key': `${revoked.secret.slice(0, -1)}!` }],
      ['two', 400, { authorization: `Bearer ${olivia.token}`, 'x-svc-api-key': revoked.secret }],
    ]
    for (const [title, status, headers] of credentials)
      assert.equal((await service.request('/v1/me', { headers })).status, status, title)
  })

  it('is not cached, and ignores the Workspace header', async () => {
    const { status, headers } = await service.request('/v1/me', {
      token: service.person('Olivia').token,
      headers: { 'svc-workspace-id': 'not a uuid' },
    })
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'private, no-store')
  })
})
