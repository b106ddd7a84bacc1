import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Client } from '@wbs/sdk'
import { refused } from '../../harness/refused.ts'
import { definitionOf, makeListWorld, where, type ListWorld } from '../list-fixture.ts'

const within = (state: string) => ({ locations: [{ state, city: 'Toledo' }] })

describe('POST /v1/lists/preview', () => {
  let world: ListWorld
  let mia: Client
  let ohio: string[]
  let indiana: string[]
  let draft: string
  before(async () => {
    world = await makeListWorld()
    mia = world.as(world.people.member)
    const several = (state: string, length: number) =>
      Promise.all(Array.from({ length }, () => world.business(within(state))))
    ohio = await several('OH', 22)
    indiana = await several('IN', 3)
    draft = await world.linked()
  })
  after(() => world.close())

  const inState = (state: string) => where('state', 'eq', state)
  const preview = async (rule: object, list_id?: string, client = mia) =>
    (await client.previewList({ definition: definitionOf(rule), ...(list_id && { list_id }) })).data

  it('shows what a rule matches, with the first members', async () => {
    const data = await preview(inState('OH'))
    assert.deepEqual([data.matched, data.matched_status, data.added, data.removed], [22, 'exact', null, null])
    assert.deepEqual(
      data.sample.map(entry => entry.member_id),
      [...ohio].sort().slice(0, 20),
    )
    assert.deepEqual([data.sample[0]?.source, data.sample[0]?.values], ['rule', []])
    assert.ok(Date.parse(data.as_of) <= Date.now())
    assert.equal((await preview({ kind: 'none' })).matched, 0)
    assert.equal((await preview({ kind: 'all' })).matched, 26)
  })

  it('compares with the members of a List, to which its overrides apply', async () => {
    const list = await world.list(inState('OH'))
    const [first, second] = ohio as [string, string]
    const [third, fourth] = indiana as [string, string]
    const overrides = [
      [first, 'include'],
      [second, 'exclude'],
      [third, 'include'],
      [fourth, 'exclude'],
      [draft, 'include'],
    ] as const
    for (const [i, [member_id, mode]] of overrides.entries())
      await mia.setListOverride({ list_id: list.id, member_id, mode, expected_version: i + 1 })
    const compared = async (rule: object) => {
      const { matched, added, removed } = await preview(rule, list.id)
      return { matched, added, removed }
    }
    // Of Indiana one is included, one excluded, and one is added. Of Ohio one is included, and 20 are removed.
    assert.deepEqual(await compared(inState('IN')), { matched: 4, added: 1, removed: 20 })
    assert.deepEqual(await compared(inState('OH')), { matched: 23, added: 0, removed: 0 })
    assert.deepEqual(await compared({ kind: 'none' }), { matched: 3, added: 0, removed: 20 })
    assert.deepEqual(await compared({ kind: 'all' }), { matched: 24, added: 1, removed: 0 })
    const { data } = await mia.updateList({
      list_id: list.id,
      expected_version: 6,
      definition: definitionOf(inState('IN')),
    })
    assert.equal((await world.members(data.id)).length, 4)
  })

  it('compares rules on observations', async () => {
    const observed = [draft, ohio[0] as string]
    await world.service.link(world.workspace_id, ohio[0] as string, world.people.owner)
    for (const business_id of observed)
      await mia.createObservation({
        business_id,
        key: 'headcount',
        value: { value_type: 'number', value: 12 },
        observed_on: '2026-01-01',
      })
    const [large, list] = [where('observations.headcount', 'gte', 10), await world.list(inState('OH'))]
    const data = await preview(large, list.id)
    assert.deepEqual([data.matched, data.added, data.removed], [2, 1, 21])
    const back = await preview(inState('OH'), (await world.list(large)).id)
    assert.deepEqual([back.matched, back.added, back.removed], [22, 21, 1])
    const key = await world.withKey(['lists:read', 'list_members:read'])
    const seen = await preview(large, list.id, key)
    assert.deepEqual([seen.matched, seen.added, seen.removed], [0, 0, 22])
  })

  it('shows the values of the List', async () => {
    const list = await world.list(inState('IN'), [{ name: 'Owner age', value_type: 'number' }])
    const column_id = String(list.columns[0]?.column_id)
    await mia.setListEntryValue({
      list_id: list.id,
      member_id: indiana[0] as string,
      column_id,
      value: { value_type: 'number', value: 61 },
      expected_version: 1,
    })
    const { sample } = await preview({ kind: 'all' }, list.id)
    const entry = sample.find(({ member_id }) => member_id === indiana[0])
    const expected = entry ? [{ column_id, value: { value_type: 'number', value: 61 } }] : undefined
    assert.deepEqual(entry?.values, expected)
    const own = await preview(inState('IN'), list.id)
    assert.equal(own.sample.flatMap(({ values }) => values).length, 1)
    assert.equal((await preview(inState('IN'))).sample.flatMap(({ values }) => values).length, 0)
  })

  it('points out where not matches missing facts', async () => {
    const { notes } = await preview({ kind: 'not', rule: inState('OH') })
    assert.deepEqual(
      notes.map(({ pointer }) => pointer),
      ['/definition/rule'],
    )
    assert.deepEqual((await preview(inState('OH'))).notes, [])
  })

  it('changes nothing, and works for an archived List', async () => {
    const list = await world.list(inState('OH'))
    await mia.archiveList({ list_id: list.id, expected_version: 1 })
    const data = await preview(inState('IN'), list.id)
    assert.deepEqual([data.matched, data.added, data.removed], [3, 3, 22])
    const { data: now } = await mia.getList({ list_id: list.id })
    assert.deepEqual([now.version, now.count.status], [2, 'unknown'])
  })

  it('refuses a rule that is not valid, with pointers', async () => {
    const { errors } = await refused(
      preview({ kind: 'and', rules: [inState('OH'), where('colour', 'eq', 'red')] }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/definition/rule/rules/1/field'],
    )
  })

  it('is not found for a List that the caller cannot see', async () => {
    const otto = world.service.person('Otto')
    const elsewhere = await world.service.workspace('Elsewhere', otto)
    const there = world.service.client({ access_token: otto.token, workspace_id: elsewhere })
    const list = await world.list(inState('OH'))
    await refused(preview(inState('OH'), list.id, there), 'not_found')
    await refused(preview(inState('OH'), newId('list')), 'not_found')
  })

  it('requires to read Lists and their members', async () => {
    for (const [held, missing] of [
      ['lists:read', 'list_members:read'],
      ['list_members:read', 'lists:read'],
    ] as const) {
      const key = await world.withKey([held])
      const { required_permission } = await refused(preview(inState('OH'), undefined, key), 'forbidden')
      assert.equal(required_permission, missing)
    }
  })

  it('shows callers who may not read Businesses the published ones alone', async () => {
    const key = await world.withKey(['lists:read', 'list_members:read'])
    const data = await preview({ kind: 'all' }, undefined, key)
    assert.equal(data.matched, 25)
    const list = await world.list({ kind: 'none' })
    await mia.setListOverride({ list_id: list.id, member_id: draft, mode: 'include', expected_version: 1 })
    assert.equal((await preview({ kind: 'none' }, list.id, key)).matched, 0)
    assert.equal((await preview({ kind: 'none' }, list.id)).matched, 1)
  })
})
