import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { forbiddenForKeys, scopes } from '@wbs/contract/scopes'
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

describe('POST /v1/api-keys', () => {
  it('creates a valid key and shows its secret once', async () => {
    const { data, secret, action_receipt } = await as(people.admin).createApiKey(settings)
    assert.match(secret ?? '', /^svc_test_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/)
    const { key_id, prefix, last4, created_at, updated_at, ...rest } = data
    assert.ok(secret?.startsWith(`${prefix}_`) && secret.endsWith(last4))
    assert.deepEqual(rest, {
      workspace_id,
      name: 'Nightly import',
      scopes: ['team:read', 'businesses:read'],
      status: 'active',
      owner: { user_id: people.admin.user_id, name: 'admin' },
      allowed_cidrs: null,
      expires_at: null,
      previous_secret_until: null,
      last_used_at: null,
      revision: 1,
    })
    assert.equal(created_at, updated_at)
    assert.equal(action_receipt.operation, 'create_api_key')
    assert.deepEqual(action_receipt.resource, { type: 'api_key', id: key_id })
    assert.equal((await byKey(secret).listTeamMembers()).data.length, 4)
    assert.equal((await byKey(secret).getMe()).data.credential.key_id, key_id)
  })

  it('replays without the secret, which is not stored', async () => {
    const options = { idempotency_key: randomUUID() }
    const { secret, data } = await as(people.owner).createApiKey(settings, options)
    const again = await as(people.owner).createApiKey(settings, options)
    assert.equal(again.idempotent_replay, true)
    assert.equal(again.secret, null)
    assert.deepEqual(again.data, data)
    const tables = await service.sql<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind = 'r'`,
    )
    for (const { name } of tables) {
      const [found] = await service.sql(`select t::text from ${name} t where position($1 in t::text) > 0`, [
        (secret as string).slice(-30),
      ])
      assert.equal(found, undefined, name)
    }
    assert.ok(!service.logged.join('').includes((secret as string).slice(-30)))
  })

  it('refuses scopes that the creator lacks', async () => {
    await as(people.owner).updateMembership({
      membership_id: await membershipOf(people.member),
      expected_revision: 1,
      permissions: { 'api_keys:manage': true },
    })
    const { required_permission } = await refused(
      as(people.member).createApiKey({ name: 'Too much', scopes: ['rooms:read', 'team:manage'] }),
      'forbidden',
    )
    assert.equal(required_permission, 'team:manage')
    await as(people.member).createApiKey({ name: 'Enough', scopes: ['rooms:read'] })
  })

  it('limits the key to the present permissions of its owner', async () => {
    const { secret } = await as(people.admin).createApiKey({
      name: 'Manager',
      scopes: ['team:read', 'workspace:manage'],
    })
    const rename = (name: string, expected_revision: number) =>
      byKey(secret).updateWorkspace({ workspace_id, expected_revision, name })
    await rename('One', 1)
    const membership_id = await membershipOf(people.admin)
    await as(people.owner).updateMembership({ membership_id, expected_revision: 1, role: 'viewer' })
    await refused(rename('Two', 2), 'forbidden')
    assert.deepEqual((await byKey(secret).getMe()).data.memberships[0]?.effective_permissions, ['team:read'])
    await as(people.owner).updateMembership({ membership_id, expected_revision: 2, role: 'admin' })
    await rename('Two', 2)
  })

  it('refuses scopes that keys can never have, and repeated scopes', async () => {
    for (const wrong of [
      ...forbiddenForKeys.map(scope => [scope]),
      ['team:read', 'team:read'],
      ['nonsense'],
    ]) {
      const { errors } = await refused(
        as(people.owner).createApiKey({ name: 'A key', scopes: wrong as never }),
        'validation_error',
      )
      assert.match(errors[0]?.pointer ?? '', /^\/scopes/)
    }
  })

  it('refuses a past expiry and invalid networks, with a suggestion', async () => {
    const { errors } = await refused(
      as(people.owner).createApiKey({
        ...settings,
        scopes: ['team:read'],
        expires_at: soon(-1),
        allowed_cidrs: ['203.0.113.0/24', '203.0.113.9/24', 'localhost'],
      }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(({ pointer, code, suggestion }) => [pointer, code, suggestion]),
      [
        ['/expires_at', 'out_of_range', undefined],
        ['/allowed_cidrs/1', 'format', '203.0.113.0/24'],
        ['/allowed_cidrs/2', 'format', undefined],
      ],
    )
  })

  it('refuses more than 500 active keys', async () => {
    await service.sql(
      `insert into api_keys (workspace_id, id, owner_user_id, name, prefix, last4, secret_digest, scopes)
       select $1, gen_random_uuid(), $2, 'One of many', 'many_' || $3::text || n, 'last', sha256(n::text::bytea), '{}'
       from generate_series(1, 499) n`,
      [workspace_id, people.owner.user_id, workspace_id],
    )
    const answers = await Promise.allSettled(
      Array.from({ length: 4 }, () => as(people.owner).createApiKey({ name: 'The last', scopes: [] })),
    )
    assert.equal(answers.filter(answer => answer.status === 'fulfilled').length, 1)
    await refused(as(people.owner).createApiKey({ name: 'One more', scopes: [] }), 'limit_reached')
  })

  it('requires the permission to manage keys, and refuses keys', async () => {
    for (const person of [people.member, people.viewer])
      assert.equal(
        (await refused(as(person).createApiKey({ name: 'A key', scopes: [] }), 'forbidden'))
          .required_permission,
        'api_keys:manage',
      )
    const { secret } = await service.apiKey(workspace_id, people.owner, scopes)
    await refused(byKey(secret).createApiKey({ name: 'A key', scopes: [] }), 'forbidden')
    await refused(byKey(secret).listApiKeys(), 'forbidden')
  })

  async function membershipOf(person: Person): Promise<string> {
    const { data } = await as(people.owner).listTeamMembers()
    return data.find(member => member.user_id === person.user_id)?.id as string
  }
})

describe('an API key', () => {
  it('is valid until it expires', async () => {
    const { secret, data } = await as(people.owner).createApiKey({
      ...settings,
      scopes: ['team:read'],
      expires_at: soon(3600),
    })
    await byKey(secret).listTeamMembers()
    await service.sql(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [
      data.key_id,
    ])
    await refused(byKey(secret).listTeamMembers(), 'unauthenticated')
    assert.equal((await as(people.owner).getApiKey({ key_id: data.key_id })).data.status, 'expired')
    await refused(
      as(people.owner).updateApiKey({ key_id: data.key_id, expected_revision: 1, name: 'New' }),
      'state_conflict',
    )
    await refused(as(people.owner).rotateApiKey({ key_id: data.key_id }), 'state_conflict')
  })

  it('is valid only from its networks', async () => {
    const { secret, data } = await as(people.owner).createApiKey({
      ...settings,
      scopes: ['team:read'],
      allowed_cidrs: ['203.0.113.0/24', '2001:DB8::/32'],
    })
    assert.deepEqual(data.allowed_cidrs, ['203.0.113.0/24', '2001:db8::/32'])
    await refused(byKey(secret).listTeamMembers(), 'forbidden')
    const { key_id } = data
    await as(people.owner).updateApiKey({ key_id, expected_revision: 1, allowed_cidrs: ['127.0.0.0/8'] })
    await byKey(secret).listTeamMembers()
    const anywhere = await as(people.owner).updateApiKey({
      key_id,
      expected_revision: 2,
      allowed_cidrs: null,
    })
    assert.equal(anywhere.data.allowed_cidrs, null)
    await byKey(secret).listTeamMembers()
  })

  it('shows its last use after a while, without a new revision', async () => {
    const { secret, data } = await as(people.owner).createApiKey({ ...settings, scopes: ['team:read'] })
    await byKey(secret).listTeamMembers()
    await service.flushKeyUses()
    const { data: used } = await as(people.owner).getApiKey({ key_id: data.key_id })
    assert.ok(Date.now() - Date.parse(used.last_used_at as string) < 60_000)
    assert.equal(used.revision, 1)
  })
})

describe('GET /v1/api-keys', () => {
  it('lists the keys of the Workspace in pages, by status if requested', async () => {
    const made: string[] = []
    for (const name of ['One', 'Two', 'Three']) {
      const { data } = await as(people.owner).createApiKey({ name, scopes: [] })
      made.push(data.key_id)
    }
    await as(people.admin).revokeApiKey({ key_id: made[1] as string })
    const seen: string[] = []
    for await (const key of as(people.admin).listApiKeys.each({ limit: 1 })) seen.push(key.key_id)
    assert.deepEqual(seen, made)
    const revoked = await as(people.owner).listApiKeys({ status: 'revoked' })
    assert.deepEqual(
      revoked.data.map(key => key.name),
      ['Two'],
    )
    assert.deepEqual(
      (await as(people.owner).listApiKeys({ status: 'active' })).data.map(key => key.name),
      ['One', 'Three'],
    )
  })
})

describe('POST /v1/api-keys/{key_id}/rotate', () => {
  it('creates a new secret, and keeps the old one valid for the overlap', async () => {
    const { data, secret } = await as(people.owner).createApiKey({ ...settings, scopes: ['team:read'] })
    const rotated = await as(people.owner).rotateApiKey({ key_id: data.key_id, overlap_seconds: 600 })
    assert.equal(rotated.data.prefix, data.prefix)
    assert.notEqual(rotated.secret, secret)
    assert.ok(
      Math.abs(Date.parse(rotated.data.previous_secret_until as string) - Date.now() - 600_000) < 60_000,
    )
    await byKey(secret).listTeamMembers()
    await byKey(rotated.secret).listTeamMembers()
    await service.sql(`update api_keys set previous_secret_until = now() where id = $1`, [data.key_id])
    await refused(byKey(secret).listTeamMembers(), 'unauthenticated')
    await byKey(rotated.secret).listTeamMembers()
    assert.equal((await as(people.owner).getApiKey({ key_id: data.key_id })).data.previous_secret_until, null)
  })

  it('without an overlap ends the old secret at once, and an earlier overlap', async () => {
    const { data, secret } = await as(people.owner).createApiKey({ ...settings, scopes: ['team:read'] })
    const second = await as(people.owner).rotateApiKey({ key_id: data.key_id, overlap_seconds: 600 })
    const third = await as(people.owner).rotateApiKey({ key_id: data.key_id })
    for (const old of [secret, second.secret]) await refused(byKey(old).listTeamMembers(), 'unauthenticated')
    await byKey(third.secret).listTeamMembers()
  })

  it('refuses everybody but the owner of the key', async () => {
    const { data } = await as(people.owner).createApiKey({ ...settings, scopes: ['team:read'] })
    await refused(as(people.admin).rotateApiKey({ key_id: data.key_id }), 'forbidden')
  })

  it('shows the secret only once', async () => {
    const { data } = await as(people.owner).createApiKey({ ...settings, scopes: [] })
    const options = { idempotency_key: randomUUID() }
    const rotation = { key_id: data.key_id, overlap_seconds: 86_400 }
    assert.ok((await as(people.owner).rotateApiKey(rotation, options)).secret)
    assert.equal((await as(people.owner).rotateApiKey(rotation, options)).secret, null)
    await refused(as(people.owner).rotateApiKey({ ...rotation, overlap_seconds: 86_401 }), 'validation_error')
  })
})

describe('POST /v1/api-keys/{key_id}/revoke', () => {
  it('ends the key and its old secret at once and for ever', async () => {
    const { data, secret } = await as(people.owner).createApiKey({ ...settings, scopes: ['team:read'] })
    const { secret: later } = await as(people.owner).rotateApiKey({
      key_id: data.key_id,
      overlap_seconds: 600,
    })
    const { data: revoked } = await as(people.admin).revokeApiKey({ key_id: data.key_id })
    assert.equal(revoked.status, 'revoked')
    for (const old of [secret, later]) await refused(byKey(old).listTeamMembers(), 'unauthenticated')
    const { current_status } = await refused(
      as(people.owner).revokeApiKey({ key_id: data.key_id }),
      'state_conflict',
    )
    assert.equal(current_status, 'revoked')
  })

  it('keeps every later change by the key from committing', async () => {
    const { data, secret } = await as(people.owner).createApiKey({
      name: 'Busy',
      scopes: ['workspace:manage', 'workspace:read'],
    })
    let over = false
    const late: unknown[] = []
    const work = async (): Promise<void> => {
      for (let revision = 1; ; revision++) {
        const began = over
        const done = await byKey(secret)
          .updateWorkspace({ workspace_id, expected_revision: revision, metadata: { revision } })
          .then(
            () => true,
            () => false,
          )
        if (done && began) late.push(revision)
        if (!done) return
      }
    }
    const working = work()
    await new Promise(resolve => setTimeout(resolve, 50))
    await as(people.owner).revokeApiKey({ key_id: data.key_id })
    over = true
    const { data: then } = await as(people.owner).getWorkspace({ workspace_id })
    await working
    assert.deepEqual(late, [])
    assert.equal((await as(people.owner).getWorkspace({ workspace_id })).data.revision, then.revision)
  })
})
