import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { forbiddenForKeys, scopes } from '@wbs/contract/scopes'
import type { Client } from '@wbs/sdk'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { refused } from '../../harness/refused.ts'
import { teamOfFour, type TeamOfFour } from './team-of-four.ts'

let service: TestService
let workspace_id: string
let people: TeamOfFour['people']
let ids: TeamOfFour['ids']
before(async () => void (service = await startTestService()))
after(() => service.close())
beforeEach(async () => void ({ workspace_id, people, ids } = await teamOfFour(service)))

/** A person's client in the Workspace of the test. */
const as = (person: Person): Client => service.client({ access_token: person.token, workspace_id })
const byKey = async (...granted: Parameters<TestService['apiKey']>[2]): Promise<Client> =>
  service.client({
    api_key: (await service.apiKey(workspace_id, people.owner, granted)).secret,
    workspace_id,
  })
const audit = async () =>
  (
    await service.sql('select type, about, data from events where workspace_id = $1 order by position', [
      workspace_id,
    ])
  ).slice(1)

describe('GET /v1/team/members', () => {
  it('lists every member with role, name, address and permissions, to every member', async () => {
    for (const person of Object.values(people)) {
      const { data, page } = await as(person).listTeamMembers()
      assert.deepEqual(
        data.map(one => one.role),
        ['owner', 'admin', 'member', 'viewer'],
      )
      assert.deepEqual(page, { cursor: null, has_more: false })
    }
    const [owner] = (await as(people.viewer).listTeamMembers({ role: 'owner' })).data
    assert.equal(owner?.user_id, people.owner.user_id)
    assert.equal(owner?.email, people.owner.email)
    assert.equal(owner?.name, 'owner')
    assert.deepEqual(owner?.access, { access_level: 'full_access' })
    assert.deepEqual(owner?.effective_permissions, [...scopes])
    assert.equal(owner?.revision, 1)
  })

  it('returns every member exactly once over all pages', async () => {
    const seen: string[] = []
    for await (const member of as(people.owner).listTeamMembers.each({ limit: 1 })) seen.push(member.id)
    assert.deepEqual(seen, Object.values(ids))
    const { page } = await as(people.owner).listTeamMembers({ limit: 3 })
    assert.deepEqual(page, { cursor: ids.member, has_more: true })
  })

  it('leaves out former members, and answers 404 for them', async () => {
    await as(people.owner).removeMembership({ membership_id: ids.viewer })
    assert.equal((await as(people.owner).listTeamMembers()).data.length, 3)
    await refused(as(people.owner).getTeamMember({ membership_id: ids.viewer }), 'not_found')
  })
})

describe('PATCH /v1/team/members/{membership_id}', () => {
  it('changes the role, effective with the next request', async () => {
    await refused(
      as(people.member).updateWorkspace({ workspace_id, expected_revision: 1, name: 'Mine' }),
      'forbidden',
    )
    const answer = await as(people.owner).updateMembership({
      membership_id: ids.member,
      expected_revision: 1,
      role: 'admin',
    })
    assert.equal(answer.data.role, 'admin')
    assert.equal(answer.data.revision, 2)
    assert.equal(answer.action_receipt.operation, 'update_membership')
    assert.deepEqual(answer.action_receipt.changed, ['role'])
    assert.deepEqual(answer.action_receipt.resource, { type: 'membership', id: ids.member })
    await as(people.member).updateWorkspace({ workspace_id, expected_revision: 1, name: 'Ours' })
    const [event] = await audit()
    assert.equal(event?.['type'], 'member.updated')
    assert.equal(event?.['about'].user_id, people.member.user_id)
    assert.deepEqual(event?.['data'], { changed: ['role'], role: 'admin', former_role: 'member' })
  })

  it('grants and removes single permissions', async () => {
    const { data } = await as(people.admin).updateMembership({
      membership_id: ids.viewer,
      expected_revision: 1,
      permissions: { 'rooms:write': true, 'files:download': false },
    })
    assert.deepEqual(data.permissions, { 'rooms:write': true, 'files:download': false })
    const me = (await people.viewer.client.getMe()).data.memberships[0]
    assert.ok(me?.effective_permissions.includes('rooms:write'))
    assert.ok(!me?.effective_permissions.includes('files:download'))
    const cleared = await as(people.admin).updateMembership({
      membership_id: ids.viewer,
      expected_revision: 2,
      permissions: {},
    })
    assert.deepEqual(cleared.data.permissions, {})
  })

  it('creates no revision and no event if nothing changes', async () => {
    const { data, action_receipt } = await as(people.owner).updateMembership({
      membership_id: ids.viewer,
      expected_revision: 1,
      role: 'viewer',
    })
    assert.equal(data.revision, 1)
    assert.deepEqual(action_receipt.changed, [])
    assert.deepEqual(await audit(), [])
  })

  it('refuses a stale revision, and returns the present one', async () => {
    const change = { membership_id: ids.viewer, expected_revision: 1, role: 'member' } as const
    await as(people.owner).updateMembership(change)
    const { expected, current } = await refused(
      as(people.owner).updateMembership({ ...change, role: 'viewer' }),
      'revision_conflict',
    )
    assert.deepEqual([expected, current], [1, 2])
  })

  it('replays its answer although the membership has changed since', async () => {
    const change = { membership_id: ids.viewer, expected_revision: 1, role: 'member' } as const
    const options = { idempotency_key: randomUUID() }
    const first = await as(people.owner).updateMembership(change, options)
    await as(people.owner).updateMembership({ ...change, expected_revision: 2, role: 'viewer' })
    const again = await as(people.owner).updateMembership(change, options)
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual(again.data, first.data)
    assert.deepEqual(again.action_receipt, first.action_receipt)
    await refused(
      as(people.owner).updateMembership({ ...change, role: 'admin' }, options),
      'idempotency_key_reused',
    )
  })

  it('requires a role or permissions that exist', async () => {
    const membership_id = ids.viewer
    const none = await refused(
      as(people.owner).updateMembership({ membership_id, expected_revision: 1 }),
      'validation_error',
    )
    assert.deepEqual(
      none.errors.map(one => [one.pointer, one.code]),
      [['', 'required']],
    )
    const wrong = { permissions: { 'rooms:wirte': true, 'team:read': 'yes' } } as never
    const { errors } = await refused(
      as(people.owner).updateMembership({ membership_id, expected_revision: 1, ...(wrong as object) }),
      'validation_error',
    )
    assert.deepEqual(errors.map(one => `${one.pointer} ${one.code}`).sort(), [
      '/permissions/rooms:wirte unknown',
      '/permissions/team:read type',
    ])
  })

  it('refuses single permissions for an owner', async () => {
    const { errors } = await refused(
      as(people.owner).updateMembership({
        membership_id: ids.admin,
        expected_revision: 1,
        role: 'owner',
        permissions: { 'rooms:write': false },
      }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => one.pointer),
      ['/permissions'],
    )
  })

  it('lets an admin change everybody but owners', async () => {
    const admin = as(people.admin)
    await admin.updateMembership({ membership_id: ids.member, expected_revision: 1, role: 'admin' })
    for (const change of [
      { membership_id: ids.owner, role: 'viewer' },
      { membership_id: ids.viewer, role: 'owner' },
      { membership_id: ids.admin, role: 'owner' },
    ] as const)
      await refused(admin.updateMembership({ ...change, expected_revision: 1 }), 'forbidden')
  })

  it('limits a member with team:manage to their own permissions', async () => {
    await as(people.owner).updateMembership({
      membership_id: ids.member,
      expected_revision: 1,
      permissions: { 'team:manage': true },
    })
    const member = as(people.member)
    await member.updateMembership({ membership_id: ids.viewer, expected_revision: 1, role: 'member' })
    const { required_permission } = await refused(
      member.updateMembership({ membership_id: ids.viewer, expected_revision: 2, role: 'admin' }),
      'forbidden',
    )
    assert.equal(required_permission, 'workspace:manage')
    await refused(
      member.updateMembership({
        membership_id: ids.viewer,
        expected_revision: 2,
        permissions: { 'audit:read': true },
      }),
      'forbidden',
    )
    await refused(
      member.updateMembership({ membership_id: ids.admin, expected_revision: 1, role: 'viewer' }),
      'forbidden',
    )
    await refused(
      member.updateMembership({
        membership_id: ids.member,
        expected_revision: 2,
        permissions: { 'api_keys:manage': true },
      }),
      'forbidden',
    )
  })

  it('lets a key make members but not admins or owners', async () => {
    const key = await byKey(...scopes.filter(scope => !forbiddenForKeys.includes(scope)))
    await key.updateMembership({ membership_id: ids.viewer, expected_revision: 1, role: 'member' })
    for (const role of ['admin', 'owner'] as const)
      await refused(
        key.updateMembership({ membership_id: ids.viewer, expected_revision: 2, role }),
        'forbidden',
      )
    const narrow = await byKey('team:manage', 'team:read')
    await refused(
      narrow.updateMembership({ membership_id: ids.member, expected_revision: 1, role: 'viewer' }),
      'forbidden',
    )
  })

  it('keeps the last owner', async () => {
    const change = { membership_id: ids.owner, expected_revision: 1, role: 'admin' } as const
    const { current_status } = await refused(as(people.owner).updateMembership(change), 'state_conflict')
    assert.equal(current_status, 'last_owner')
    await as(people.owner).updateMembership({ membership_id: ids.admin, expected_revision: 1, role: 'owner' })
    assert.equal((await as(people.owner).updateMembership(change)).data.role, 'admin')
  })

  it('accepts If-Match, and refuses one that differs from the revision', async () => {
    const patch = (tag: string, expected_revision: number) =>
      service.request(`/v1/team/members/${ids.viewer}`, {
        method: 'PATCH',
        token: people.owner.token,
        body: JSON.stringify({ expected_revision, role: 'member' }),
        headers: {
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
          'svc-workspace-id': workspace_id,
          'if-match': tag,
        },
      })
    for (const tag of ['"r2"', 'W/"r1"', '"v1"', 'r1']) {
      const { status, body } = await patch(tag, 1)
      assert.equal(status, 400)
      assert.deepEqual(
        body.errors.map((one: { pointer: string }) => one.pointer),
        ['/If-Match'],
      )
    }
    const changed = await patch('"r1"', 1)
    assert.equal(changed.status, 200)
    assert.equal(changed.headers.get('etag'), '"r2"')
  })
})
