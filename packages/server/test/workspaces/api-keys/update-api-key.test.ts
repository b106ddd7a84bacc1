import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { refused } from '../../harness/refused.ts'
import { teamOfFour, type TeamOfFour } from '../team/team-of-four.ts'

let service: TestService
let workspace_id: string
let people: TeamOfFour['people']
before(async () => void (service = await startTestService()))
after(() => service.close())
beforeEach(async () => void ({ workspace_id, people } = await teamOfFour(service)))

const as = (person: Person): Client => service.client({ access_token: person.token, workspace_id })
const byKey = (api_key: string | null): Client => service.client({ api_key: api_key as string, workspace_id })
const settings = { name: 'Nightly import', scopes: ['team:read', 'businesses:read'] as const }
const soon = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

type Changes = Omit<Parameters<Client['updateApiKey']>[0], 'key_id' | 'expected_revision'>

const give = (role: keyof TeamOfFour['people'], permissions: object) =>
  service.sql(`update memberships set permissions = $3 where workspace_id = $1 and user_id = $2`, [
    workspace_id,
    people[role].user_id,
    permissions,
  ])

describe('PATCH /v1/api-keys/{key_id}', () => {
  it('changes the given fields as a new revision, with an event that names them', async () => {
    const { data } = await as(people.owner).createApiKey({ ...settings, scopes: ['team:read'] })
    const expires_at = soon(86_400)
    const { data: changed, action_receipt } = await as(people.owner).updateApiKey({
      key_id: data.key_id,
      expected_revision: 1,
      name: 'Renamed',
      scopes: ['team:read', 'rooms:read'],
      expires_at,
    })
    assert.deepEqual(
      [changed.name, changed.scopes, changed.expires_at, changed.revision],
      ['Renamed', ['team:read', 'rooms:read'], expires_at, 2],
    )
    assert.deepEqual(action_receipt.changed, ['name', 'scopes', 'expires_at'])
    const same = await as(people.owner).updateApiKey({
      key_id: data.key_id,
      expected_revision: 2,
      name: 'Renamed',
    })
    assert.equal(same.data.revision, 2)
    const unending = await as(people.owner).updateApiKey({
      key_id: data.key_id,
      expected_revision: 2,
      expires_at: null,
    })
    assert.equal(unending.data.expires_at, null)
    await refused(
      as(people.owner).updateApiKey({ key_id: data.key_id, expected_revision: 1, name: 'Late' }),
      'revision_conflict',
    )
  })

  it('lets others who manage keys narrow it, whatever their own permissions', async () => {
    await give('member', { 'api_keys:manage': true })
    const { data, secret } = await as(people.owner).createApiKey({
      ...settings,
      scopes: ['team:read', 'workspace:manage', 'audit:read'],
    })
    const { key_id } = data
    const narrowed = async (by: Person, expected_revision: number, changes: Changes): Promise<void> => {
      const answer = await as(by).updateApiKey({ key_id, expected_revision, ...changes })
      assert.deepEqual(answer.action_receipt.changed, Object.keys(changes))
      assert.equal(answer.data.owner.user_id, people.owner.user_id)
    }
    await narrowed(people.member, 1, { scopes: ['audit:read', 'team:read'] })
    await narrowed(people.member, 2, { expires_at: soon(7200) })
    await narrowed(people.admin, 3, {
      expires_at: soon(3600),
      allowed_cidrs: ['127.0.0.0/8', '2001:db8::/32'],
    })
    await narrowed(people.admin, 4, { allowed_cidrs: ['127.0.0.1', '127.0.0.2'] })
    await byKey(secret).listTeamMembers()
    await narrowed(people.admin, 5, { scopes: [] })
    await refused(byKey(secret).listTeamMembers(), 'forbidden')
  })

  it('lets only its owner rename or extend it', async () => {
    const { data } = await as(people.owner).createApiKey({
      ...settings,
      expires_at: soon(3600),
      allowed_cidrs: ['203.0.113.0/24'],
    })
    const { key_id } = data
    for (const changes of [
      { name: 'Renamed' },
      { scopes: ['team:read', 'businesses:read', 'rooms:read'] },
      { scopes: ['rooms:read'] },
      { expires_at: soon(3700) },
      { expires_at: null },
      { allowed_cidrs: null },
      { allowed_cidrs: ['203.0.112.0/23'] },
      { allowed_cidrs: ['203.0.113.7', '127.0.0.1'] },
      { allowed_cidrs: ['::/0'] },
      { scopes: [], allowed_cidrs: null },
      { scopes: [], name: 'Renamed' },
    ] satisfies Changes[])
      await refused(as(people.admin).updateApiKey({ key_id, expected_revision: 1, ...changes }), 'forbidden')
    assert.deepEqual((await as(people.owner).getApiKey({ key_id })).data, data)
    const { data: same } = await as(people.admin).updateApiKey({
      key_id,
      expected_revision: 1,
      name: data.name,
      scopes: [...settings.scopes],
      expires_at: data.expires_at,
      allowed_cidrs: data.allowed_cidrs,
    })
    assert.equal(same.revision, 1)
  })

  it('refuses scopes that its owner has lost, and every change once they no longer manage keys', async () => {
    const { data } = await as(people.admin).createApiKey({ name: 'A key', scopes: ['team:read'] })
    const { key_id } = data
    await give('admin', { 'workspace:manage': false, 'team:read': false })
    const { required_permission } = await refused(
      as(people.admin).updateApiKey({
        key_id,
        expected_revision: 1,
        scopes: ['team:read', 'workspace:manage'],
      }),
      'forbidden',
    )
    assert.equal(required_permission, 'workspace:manage')
    await as(people.admin).updateApiKey({ key_id, expected_revision: 1, scopes: ['team:read', 'rooms:read'] })
    await give('admin', { 'api_keys:manage': false })
    await refused(as(people.admin).updateApiKey({ key_id, expected_revision: 2, scopes: [] }), 'forbidden')
  })

  it('requires a field to change', async () => {
    const { data } = await as(people.owner).createApiKey({ ...settings, scopes: [] })
    await refused(
      as(people.owner).updateApiKey({ key_id: data.key_id, expected_revision: 1 }),
      'validation_error',
    )
  })
})
