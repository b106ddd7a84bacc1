import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Client } from '@wbs/sdk'
import { refused } from '../../harness/refused.ts'
import { definitionOf, makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { listRequest } from '../list-request.ts'

const within = (state: string) => ({ locations: [{ state, city: 'Toledo' }] })

describe('POST /v1/lists/{list_id}/count', () => {
  let world: ListWorld
  let mia: Client
  before(async () => {
    world = await makeListWorld()
    mia = world.as(world.people.member)
    for (let i = 0; i < 3; i++) await world.business(within('OH'))
    await world.business(within('IN'))
    await world.linked()
  })
  after(() => world.close())

  const count = async (list_id: string, client = mia) => (await client.countList({ list_id })).data.count
  const shown = async (list_id: string, client = mia) => (await client.getList({ list_id })).data.count
  const unknown = { status: 'unknown', value: null, as_of: null }
  const ohio = where('state', 'eq', 'OH')

  it('counts the members, and the List keeps its version', async () => {
    const list = await world.list({ kind: 'all' })
    assert.deepEqual(list.count, unknown)
    const counted = await mia.countList({ list_id: list.id })
    assert.deepEqual([counted.data.count.status, counted.data.count.value], ['exact', 5])
    assert.equal(counted.data.count.value, (await world.members(list.id)).length)
    assert.ok(!('action_receipt' in counted))
    const { data } = await mia.getList({ list_id: list.id })
    assert.deepEqual(data, counted.data)
    assert.deepEqual([data.version, data.updated_at], [1, list.updated_at])
    const { data: listed } = await mia.listLists({ limit: 100 })
    assert.deepEqual(listed.find(({ id }) => id === list.id)?.count, data.count)
    const events = await world.service.sql(
      `select from events where subject ->> 'id' = $1 and type <> 'list.created'`,
      [list.id],
    )
    assert.equal(events.length, 0)
  })

  it('counts members of each source once, with observations', async () => {
    const [draft, other] = [await world.linked(), await world.linked()]
    const published = await world.business(within('OH'))
    await world.service.link(world.workspace_id, published, world.people.owner)
    for (const business_id of [draft, published])
      await mia.createObservation({
        business_id,
        key: 'mood',
        value: { value_type: 'text', value: 'Good' },
        observed_on: '2026-01-01',
      })
    const rule = { kind: 'or', rules: [where('observations.mood', 'eq', 'good'), where('state', 'eq', 'IN')] }
    const list = await world.list(rule)
    for (const [member_id, expected_version] of [
      [other, 1],
      [draft, 2],
    ] as const)
      await mia.setListOverride({ list_id: list.id, member_id, mode: 'include', expected_version })
    assert.equal((await count(list.id)).value, 4)
    assert.equal((await world.members(list.id)).length, 4)
  })

  it('is stale once the rule or an override changed, and not after other changes', async () => {
    const list = await world.list(ohio)
    const member_id = await world.business(within('PA'))
    await count(list.id)
    const changes: [string, () => Promise<unknown>][] = [
      ['exact', () => mia.updateList({ list_id: list.id, expected_version: 1, name: 'Renamed' })],
      ['exact', () => mia.archiveList({ list_id: list.id, expected_version: 2 })],
      ['exact', () => mia.restoreList({ list_id: list.id, expected_version: 3 })],
      [
        'stale',
        () => mia.setListOverride({ list_id: list.id, member_id, mode: 'include', expected_version: 4 }),
      ],
      ['stale', () => mia.setListOverride({ list_id: list.id, member_id, mode: null, expected_version: 5 })],
      [
        'stale',
        () =>
          mia.updateList({
            list_id: list.id,
            expected_version: 6,
            definition: definitionOf({ kind: 'all' }),
          }),
      ],
    ]
    for (const [status, change] of changes) {
      await change()
      assert.equal((await shown(list.id)).status, status)
      if (status === 'stale') assert.equal((await count(list.id)).status, 'exact')
    }
  })

  it('is stale once an override has expired', async () => {
    const list = await world.list({ kind: 'none' })
    const member_id = await world.business(within('PA'))
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    await mia.setListOverride({
      list_id: list.id,
      member_id,
      mode: 'include',
      expires_at,
      expected_version: 1,
    })
    assert.equal((await count(list.id)).value, 1)
    // As if the count and the end of the override were both an hour ago.
    await world.service.sql(`update lists set counted_at = counted_at - interval '2 hours' where id = $1`, [
      list.id,
    ])
    assert.equal((await shown(list.id)).status, 'exact')
    await world.service.sql(
      `update list_overrides set expires_at = expires_at - interval '2 hours' where list_id = $1`,
      [list.id],
    )
    const { status, value } = await shown(list.id)
    assert.deepEqual([status, value], ['stale', 1])
    const again = await count(list.id)
    assert.deepEqual([again.status, again.value], ['exact', 0])
  })

  it('shows callers who may not read Businesses their own count, and stores none', async () => {
    const list = await world.list({ kind: 'all' })
    const key = await world.withKey(['lists:read'])
    const { value: ofAll } = await count(list.id)
    assert.deepEqual(await shown(list.id, key), unknown)
    const own = await count(list.id, key)
    assert.deepEqual([own.status, own.value], ['exact', Number(ofAll) - (await drafts())])
    assert.deepEqual(await shown(list.id, key), unknown)
    assert.equal((await shown(list.id)).value, ofAll)
    const { data } = await key.listLists({ limit: 100 })
    assert.ok(data.every(each => each.count.status === 'unknown'))
  })

  const drafts = async () =>
    (await world.service.sql(`select from businesses where publication_status = 'draft'`)).length

  it('keeps a later count', async () => {
    const list = await world.list(ohio)
    await count(list.id)
    await world.service.sql(
      `update lists set counted_at = counted_at + interval '1 hour', counted_value = 77 where id = $1`,
      [list.id],
    )
    assert.notEqual((await count(list.id)).value, 77)
    assert.equal((await shown(list.id)).value, 77)
  })

  it('counts an archived List', async () => {
    const list = await world.list(ohio)
    await mia.archiveList({ list_id: list.id, expected_version: 1 })
    const { status, value } = await count(list.id)
    assert.deepEqual([status, value], ['exact', (await world.members(list.id)).length])
  })

  it('repeats its answer as it was, until the caller may not read Lists', async () => {
    const list = await world.list({ kind: 'all' })
    const viktor = world.as(world.people.viewer)
    const key = { idempotency_key: 'a-count-once' }
    const first = await viktor.countList({ list_id: list.id }, key)
    await world.business(within('OH'))
    const again = await viktor.countList({ list_id: list.id }, key)
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    assert.equal((await count(list.id)).value, Number(first.data.count.value) + 1)
    await world.service.sql(
      `update memberships set permissions = '{"lists:read": false}' where user_id = $1`,
      [world.people.viewer.user_id],
    )
    await refused(viktor.countList({ list_id: list.id }, key), 'forbidden')
  })

  it('is hidden in repeated answers from a key that may no longer read Businesses', async () => {
    const { service, workspace_id, people } = world
    const list_id = (await world.list({ kind: 'all' })).id
    const scopes = ['lists:read', 'lists:write', 'businesses:read'] as const
    const { key_id, secret } = await service.apiKey(workspace_id, people.owner, scopes)
    const client = service.client({ api_key: secret, workspace_id })
    const key = { idempotency_key: crypto.randomUUID() }
    const counting = () => client.countList({ list_id }, key)
    const options = [1, 2, 3].map(() => ({ idempotency_key: crypto.randomUUID() }))
    const change = (version: number) => ({ list_id, expected_version: version })
    const calls = [
      counting,
      () => client.updateList({ ...change(1), name: 'Renamed' }, options[0]),
      () => client.archiveList(change(2), options[1]),
      () => client.restoreList(change(3), options[2]),
    ]
    for (const call of calls) assert.equal((await call()).data.count.status, 'exact')
    await world.as(people.owner).updateApiKey({ key_id, expected_revision: 1, scopes: scopes.slice(0, 2) })
    for (const call of calls) {
      const { data, idempotent_replay } = await call()
      assert.deepEqual([data.count, idempotent_replay], [unknown, true])
    }
  })

  it('is in the answer to a client that has the version without it', async () => {
    const { id } = await world.list({ kind: 'all' })
    const known = { headers: { 'if-none-match': '"v1"' } }
    assert.equal((await listRequest(world, 'GET', `/${id}`, known)).status, 304)
    await count(id)
    const { status, headers, body } = await listRequest(world, 'GET', `/${id}`, known)
    assert.deepEqual([status, headers.get('etag'), body.data.count.status], [200, '"v1"', 'exact'])
  })

  it('is not found for a List that the caller cannot see', async () => {
    const list = await world.list(ohio)
    const otto = world.service.person('Otto')
    const elsewhere = await world.service.workspace('Elsewhere', otto)
    const there = world.service.client({ access_token: otto.token, workspace_id: elsewhere })
    await refused(there.countList({ list_id: list.id }), 'not_found')
    await refused(mia.countList({ list_id: newId('list') }), 'not_found')
  })

  it('is stale if the rule changed while the members were counted', async () => {
    const list = await world.list(ohio)
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => mia.countList({ list_id: list.id })),
      mia.updateList({ list_id: list.id, expected_version: 1, definition: definitionOf({ kind: 'none' }) }),
    ])
    assert.ok(answers.every(({ data }) => ['exact', 'stale', 'unknown'].includes(data.count.status)))
    const { value } = await shown(list.id)
    assert.equal(value === 0, (await shown(list.id)).status === 'exact')
    assert.deepEqual((await count(list.id)).value, 0)
  })
})
