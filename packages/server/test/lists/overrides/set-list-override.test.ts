import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Client } from '@wbs/sdk'
import { withdraw } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { definitionOf, makeListWorld, where, type ListWorld } from '../list-fixture.ts'

const ohio = where('state', 'eq', 'OH')
const inOhio = { locations: [{ state: 'OH', city: 'Toledo' }] }
const inIndiana = { locations: [{ state: 'IN', city: 'Gary' }] }
const inAYear = () => new Date(Date.now() + 365 * 24 * 3_600_000).toISOString()

describe('PUT /v1/lists/{list_id}/overrides/{member_id}', () => {
  let world: ListWorld
  let mia: Client
  before(async () => {
    world = await makeListWorld()
    mia = world.as(world.people.member)
  })
  after(() => world.close())

  type Given = Omit<Parameters<Client['setListOverride']>[0], 'list_id' | 'member_id' | 'expected_version'>
  const set = async (list_id: string, member_id: string, given: Given, client = mia) => {
    const { data } = await mia.getList({ list_id })
    return client.setListOverride({ list_id, member_id, ...given, expected_version: data.version })
  }
  /** Lets an override expire. */
  const expire = (list_id: string) =>
    world.service.sql(
      `update list_overrides set expires_at = statement_timestamp() - interval '1 minute' where list_id = $1`,
      [list_id],
    )

  it('includes a Business for which the rule does not hold', async () => {
    const [gary, toledo] = [await world.business(inIndiana), await world.business(inOhio)]
    const list = await world.list(ohio)
    const { data, action_receipt } = await set(list.id, gary, { mode: 'include' })
    const expected = { member_id: gary, mode: 'include', reason: null, expires_at: null }
    assert.deepEqual(data, { ...expected, list_id: list.id, version: 2 })
    assert.deepEqual(action_receipt.changed, ['overrides'])
    const members = await world.members(list.id)
    assert.ok(members.includes(gary) && members.includes(toledo))
    const entry = await mia.getListEntry({ list_id: list.id, member_id: gary })
    assert.deepEqual([entry.data.source, entry.data.projection], ['override', 'workspace'])
  })

  it('excludes a Business for which the rule holds, and replaces the override and removes it', async () => {
    const toledo = await world.business(inOhio)
    const list = await world.list(ohio)
    await set(list.id, toledo, { mode: 'exclude', reason: 'The owner asked us to wait.' })
    assert.ok(!(await world.members(list.id)).includes(toledo))
    const replaced = await set(list.id, toledo, { mode: 'include' })
    assert.deepEqual([replaced.data.reason, replaced.data.version], [null, 3])
    const removed = await set(list.id, toledo, { mode: null })
    assert.deepEqual([removed.data.mode, removed.data.version], [null, 4])
    assert.ok((await world.members(list.id)).includes(toledo))
    assert.deepEqual((await mia.listListOverrides({ list_id: list.id })).data, [])
  })

  it('records who set it, without the reason', async () => {
    const toledo = await world.business(inOhio)
    const list = await world.list(ohio)
    await set(list.id, toledo, { mode: 'exclude', reason: 'Their owner is ill.' })
    const [event] = await world.service.sql(
      `select actor, subject, data from events where type = 'list.override_set' and subject ->> 'id' = $1`,
      [list.id],
    )
    assert.deepEqual(event?.['data'], { member_id: toledo, mode: 'exclude' })
    assert.ok(!JSON.stringify(event).includes('ill'))
    const { data } = await mia.listListOverrides({ list_id: list.id })
    assert.equal(data[0]?.set_by, world.people.member.user_id)
  })

  it('changes nothing if the override is equal or there is none to remove', async () => {
    const toledo = await world.business(inOhio)
    const list = await world.list(ohio)
    assert.equal((await set(list.id, toledo, { mode: null })).data.version, 1)
    const given = { mode: 'include', reason: 'Known.', expires_at: inAYear() } as const
    await set(list.id, toledo, given)
    const again = await set(list.id, toledo, given, world.as(world.people.owner))
    assert.equal(again.data.version, 2)
    assert.deepEqual(again.action_receipt.changed, [])
    const { data } = await mia.listListOverrides({ list_id: list.id })
    assert.equal(data[0]?.set_by, world.people.member.user_id)
    const events = await world.service.sql(
      `select from events where type = 'list.override_set' and subject ->> 'id' = $1`,
      [list.id],
    )
    assert.equal(events.length, 1)
  })

  it('has no effect after it expired, is listed and can be set again', async () => {
    const [gary, toledo] = [await world.business(inIndiana), await world.business(inOhio)]
    const list = await world.list(ohio)
    await set(list.id, gary, { mode: 'include', expires_at: inAYear() })
    await set(list.id, toledo, { mode: 'exclude', expires_at: inAYear() })
    await expire(list.id)
    const members = await world.members(list.id)
    assert.ok(!members.includes(gary) && members.includes(toledo))
    const { data } = await mia.listListOverrides({ list_id: list.id })
    assert.ok(data.every(({ expires_at }) => Date.parse(String(expires_at)) < Date.now()))
    assert.equal(data.length, 2)
    await set(list.id, gary, { mode: 'include' })
    assert.ok((await world.members(list.id)).includes(gary))
  })

  it('outlives changes of the rule, and archiving', async () => {
    const gary = await world.business(inIndiana)
    const list = await world.list(ohio)
    await set(list.id, gary, { mode: 'include' })
    await mia.updateList({
      list_id: list.id,
      expected_version: 2,
      definition: definitionOf({ kind: 'none' }),
    })
    await mia.archiveList({ list_id: list.id, expected_version: 3 })
    assert.deepEqual(await world.members(list.id), [gary])
    await mia.restoreList({ list_id: list.id, expected_version: 4 })
    assert.deepEqual(await world.members(list.id), [gary])
  })

  it('refuses another mode, and a reason or an end for an override that is removed', async () => {
    const list = await world.list(ohio)
    const member_id = await world.business()
    for (const [field, given] of [
      ['reason', { reason: 'None.' }],
      ['expires_at', { expires_at: inAYear() }],
    ] as const) {
      const { errors } = await refused(set(list.id, member_id, { mode: null, ...given }), 'validation_error')
      assert.deepEqual(
        errors.map(({ pointer, code }) => [pointer, code]),
        [[`/${field}`, 'conflict']],
      )
    }
    assert.equal(
      (await set(list.id, member_id, { mode: null, reason: null, expires_at: null })).data.version,
      1,
    )
  })

  it('refuses an end in the past, and one in more than 100 years', async () => {
    const list = await world.list(ohio)
    const member_id = await world.business()
    for (const expires_at of ['2020-01-01T00:00:00Z', '2200-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
      const { errors } = await refused(
        set(list.id, member_id, { mode: 'include', expires_at }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(({ pointer, code }) => [pointer, code]),
        [['/expires_at', 'out_of_range']],
      )
    }
  })

  it('is not found for a List or a Business that the caller cannot see', async () => {
    const list = await world.list(ohio)
    const toledo = await world.business(inOhio)
    const otto = world.service.person('Otto')
    const elsewhere = await world.service.workspace('Elsewhere', otto)
    const hidden = await world.business({ publication_status: 'draft' })
    await world.service.link(elsewhere, hidden, otto)
    const unlinked = await world.business({ publication_status: 'draft' })
    const refusals = await Promise.all(
      [hidden, unlinked, newId('biz')].map(async member_id =>
        refused(set(list.id, member_id, { mode: 'include' }), 'not_found'),
      ),
    )
    assert.equal(new Set(refusals.map(({ detail }) => detail)).size, 1)
    const theirs = { list_id: list.id, member_id: toledo, mode: 'include', expected_version: 1 } as const
    const there = world.service.client({ access_token: otto.token, workspace_id: elsewhere })
    await refused(there.setListOverride(theirs), 'not_found')
    await refused(mia.setListOverride({ ...theirs, list_id: newId('list') }), 'not_found')
  })

  it('is not found for a draft without the permission to read Businesses, or after it was withdrawn from sight', async () => {
    const list = await world.list({ kind: 'none' })
    const draft = await world.linked()
    const key = await world.withKey(['lists:read', 'lists:write', 'list_members:read'])
    await refused(set(list.id, draft, { mode: 'include' }, key), 'not_found')
    await set(list.id, draft, { mode: 'include' })
    assert.deepEqual(await world.members(list.id), [draft])
    assert.deepEqual(await world.members(list.id, key), [])
    const published = await world.business(inIndiana)
    await set(list.id, published, { mode: 'include' }, key)
    await withdraw(world.service, [published])
    await refused(set(list.id, published, { mode: null }), 'not_found')
    assert.deepEqual(await world.members(list.id), [draft])
  })

  it('requires to change Lists and to read their members', async () => {
    const list = await world.list(ohio)
    const toledo = await world.business(inOhio)
    const given = { list_id: list.id, member_id: toledo, mode: 'include', expected_version: 1 } as const
    const viktor = world.as(world.people.viewer)
    assert.equal(
      (await refused(viktor.setListOverride(given), 'forbidden')).required_permission,
      'lists:write',
    )
    for (const missing of ['lists:read', 'list_members:read'] as const) {
      const others = (['lists:read', 'list_members:read'] as const).filter(scope => scope !== missing)
      const key = await world.withKey(['lists:write', ...others])
      assert.equal((await refused(key.setListOverride(given), 'forbidden')).required_permission, missing)
    }
  })

  it('refuses a List that is not active, and a version that is not the latest', async () => {
    const list = await world.list(ohio)
    const toledo = await world.business(inOhio)
    const stale = { list_id: list.id, member_id: toledo, mode: 'include', expected_version: 7 } as const
    const { current, expected } = await refused(mia.setListOverride(stale), 'revision_conflict')
    assert.deepEqual([expected, current], [7, 1])
    await mia.archiveList({ list_id: list.id, expected_version: 1 })
    const archived = await refused(set(list.id, toledo, { mode: 'include' }), 'state_conflict')
    assert.equal(archived.current_status, 'archived')
    await world.service.sql(
      `update lists set lifecycle_status = 'restricted', archived_at = null where id = $1`,
      [list.id],
    )
    const restricted = await refused(set(list.id, toledo, { mode: null }), 'state_conflict')
    assert.equal(restricted.current_status, 'restricted')
  })

  it('refuses the 10,001st override of a List', async () => {
    const list = await world.list(ohio)
    const [toledo, gary] = [await world.business(inOhio), await world.business(inIndiana)]
    await set(list.id, toledo, { mode: 'exclude' })
    await world.service.sql(
      `with others as (
         insert into businesses (id, name, name_folded, revision, publication_status, status, country_code, created_at, updated_at)
         select 'biz_0' || lpad(n::text, 25, '0'), 'Other', 'other', 1, 'draft', 'active', 'US', now(), now()
         from generate_series(1, 9999) n returning id)
       insert into list_overrides (workspace_id, list_id, member_id, mode, set_by, set_at)
       select $1, $2, id, 'include', $3, now() from others`,
      [world.workspace_id, list.id, world.people.member.user_id],
    )
    await refused(set(list.id, gary, { mode: 'include' }), 'limit_reached')
    await set(list.id, toledo, { mode: 'include' })
    await set(list.id, toledo, { mode: null })
    await set(list.id, gary, { mode: 'include' })
  })

  it('repeats its answer, until the caller may not read members or cannot see the Business', async () => {
    const list = await world.list(ohio)
    const toledo = await world.business(inOhio)
    const key = { idempotency_key: 'an-override-once' }
    const given = { list_id: list.id, member_id: toledo, mode: 'include', expected_version: 1 } as const
    const first = await mia.setListOverride(given, key)
    await set(list.id, toledo, { mode: null })
    const again = await mia.setListOverride(given, key)
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    assert.deepEqual((await mia.listListOverrides({ list_id: list.id })).data, [])
    const permit = (permissions: object) =>
      world.service.sql('update memberships set permissions = $1 where user_id = $2', [
        JSON.stringify(permissions),
        world.people.member.user_id,
      ])
    await permit({ 'list_members:read': false })
    await refused(mia.setListOverride(given, key), 'forbidden')
    await permit({})
    await withdraw(world.service, [toledo])
    await refused(mia.setListOverride(given, key), 'not_found')
  })

  it('keeps text as it was written', async () => {
    const list = await world.list(ohio)
    const toledo = await world.business(inOhio)
    const reason = `Robert'); drop table lists; -- <script>"\\ $1 \u{1f600} שלום`
    const { data } = await set(list.id, toledo, { mode: 'exclude', reason })
    assert.equal(data.reason, reason)
    const { data: listed } = await mia.listListOverrides({ list_id: list.id })
    assert.equal(listed[0]?.reason, reason)
    await refused(set(list.id, toledo, { mode: 'exclude', reason: 'a\u0000b' }), 'validation_error')
    await refused(set(list.id, toledo, { mode: 'exclude', reason: 'x'.repeat(2001) }), 'validation_error')
  })

  it('runs changes of one List one after the other', async () => {
    const list = await world.list(ohio)
    const businesses = await Promise.all(Array.from({ length: 8 }, () => world.business(inIndiana)))
    const answers = await Promise.allSettled(
      businesses.map(member_id =>
        mia.setListOverride({ list_id: list.id, member_id, mode: 'include', expected_version: 1 }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await mia.getList({ list_id: list.id })).data.version, 2)
    assert.equal((await mia.listListOverrides({ list_id: list.id })).data.length, 1)
  })
})
