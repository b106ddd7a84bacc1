import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Scope } from '@wbs/contract/scopes'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import type { Person } from '../../harness/service.ts'
import { definitionOf } from '../../lists/list-fixture.ts'
import { makeGoalWorld, type GoalWorld } from '../goal-fixture.ts'

let world: GoalWorld
before(async () => {
  world = await makeGoalWorld()
  for (const name of ['Glacier', 'Harbor']) await addBusiness(world.service, { name })
})
after(() => world.close())
const member = () => world.client('member')
const unknown = { value: null, as_of: null, status: 'unknown' }

const newList = async () =>
  (await member().createList({ name: 'Candidates', definition: definitionOf({ kind: 'all' }) })).data.id

const countOfList = (id: string) => ({
  name: 'Candidates',
  target: '10',
  source: { type: 'list_count' as const, id },
})

describe('a metric whose value is set by hand', () => {
  it('keeps its decimals exactly, and the time at which the value was set', async () => {
    const given = {
      name: 'Price',
      unit: 'USD',
      start: '-0.500000',
      target: '999999999999999999.999999',
      source: { type: 'manual' as const },
      current: '1250000.10',
    }
    const { goal_id, metric, created_at } = await world.goal({ metric: given })
    const { current, source, ...described } = given
    assert.deepEqual(metric, {
      ...described,
      source: { ...source, id: null },
      current: { value: current, as_of: created_at, status: 'exact' },
    })
    const change = { goal_id, expected_revision: 1 }
    const { data: same } = await member().updateGoal({ ...change, metric: given })
    assert.deepEqual([same.revision, same.metric], [1, metric])
    const { data, receipt } = await member().updateGoal({
      ...change,
      metric: { ...given, current: '1250000.1' },
    })
    assert.deepEqual(receipt.changed, ['metric'])
    assert.deepEqual(data.metric?.current, {
      value: '1250000.1',
      as_of: receipt.occurred_at,
      status: 'exact',
    })
    const { data: without } = await member().updateGoal({ goal_id, expected_revision: 2, metric: null })
    assert.equal(without.metric, null)
  })

  it('is unknown without a value', async () => {
    const { metric } = await world.goal({
      metric: { name: 'Price', target: '1', source: { type: 'manual' } },
    })
    assert.deepEqual([metric?.current, metric?.unit, metric?.start], [unknown, null, null])
  })

  it('refuses what is no decimal, and fields that do not go together', async () => {
    const right = { name: 'Price', target: '1', source: { type: 'manual' } }
    for (const [wrong, pointer] of [
      [{ target: 1 }, '/metric/target'],
      [{ target: '1e3' }, '/metric/target'],
      [{ target: '01' }, '/metric/target'],
      [{ target: '1.' }, '/metric/target'],
      [{ target: '1.0000001' }, '/metric/target'],
      [{ target: '1'.repeat(19) }, '/metric/target'],
      [{ start: 'NaN' }, '/metric/start'],
      [{ current: ' 1' }, '/metric/current'],
      [{ name: '' }, '/metric/name'],
      [{ source: { type: 'valuation' } }, '/metric/source/id'],
      [{ source: { type: 'revenue' } }, '/metric/source/type'],
      [{ source: { type: 'manual', id: 'list_1' } }, '/metric/source/id'],
      [{ source: { type: 'list_count' } }, '/metric/source/id'],
      [{ status: 'exact' }, '/metric/status'],
    ] as const) {
      const metric = { ...right, ...wrong } as unknown as ReturnType<typeof countOfList>
      const { goal_id } = await world.goal()
      for (const call of [
        () => member().createGoal({ title: 'Close', metric }),
        () => member().updateGoal({ goal_id, expected_revision: 1, metric }),
      ]) {
        const { errors } = await refused(call(), 'validation_error')
        assert.deepEqual(
          errors.map(one => one.pointer),
          [pointer],
        )
      }
    }
  })
})

describe('a metric that shows the count of a List', () => {
  it('is unknown until the List is counted, then shows what the List shows, without a new revision', async () => {
    const list_id = await newList()
    const { goal_id, metric } = await world.goal({ metric: countOfList(list_id) })
    assert.deepEqual([metric?.source, metric?.current], [countOfList(list_id).source, unknown])
    const { count } = (await member().countList({ list_id })).data
    const current = { value: '2', as_of: count.as_of, status: 'exact' }
    assert.equal(count.value, 2)
    const { data } = await member().getGoal({ goal_id })
    assert.deepEqual([data.metric?.current, data.revision], [current, 1])
    const { data: listed } = await member().listGoals({ limit: 100 })
    assert.deepEqual(listed.find(one => one.goal_id === goal_id)?.metric, data.metric)
    const { data: updated } = await member().updateGoal({ goal_id, expected_revision: 1, title: 'Later' })
    assert.deepEqual(updated.metric, data.metric)
    const other = await world.goal({ metric: countOfList(list_id) })
    assert.deepEqual(other.metric?.current, current)
    const rule = { kind: 'field', field: 'state', operator: 'eq', value: 'OH' }
    await member().updateList({ list_id, expected_version: 1, definition: definitionOf(rule) })
    assert.equal((await member().getGoal({ goal_id })).data.metric?.current.status, 'stale')
  })

  it('can take the place of a value set by hand, and give it back', async () => {
    const list_id = await newList()
    await member().countList({ list_id })
    const byHand = { name: 'Letters', target: '3', source: { type: 'manual' as const }, current: '1' }
    const { goal_id } = await world.goal({ metric: byHand })
    const { data } = await member().updateGoal({
      goal_id,
      expected_revision: 1,
      metric: countOfList(list_id),
    })
    assert.equal(data.metric?.current.value, '2')
    assert.deepEqual((await member().getGoal({ goal_id })).data, data)
    const { data: again } = await member().updateGoal({ goal_id, expected_revision: 2, metric: byHand })
    assert.deepEqual(again.metric?.current, { value: '1', as_of: again.updated_at, status: 'exact' })
  })

  it('is unknown for guests and for whoever may not read Lists, their members or Businesses', async () => {
    const list_id = await newList()
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    await world.invite(room_id, world.people.owner, 'view')
    await member().countList({ list_id })
    const { goal_id } = await world.goal({ room_id, metric: countOfList(list_id) })
    const needed: Scope[] = ['lists:read', 'list_members:read', 'businesses:read']
    const blind = needed.map(left => world.withKey(['goals:read', ...needed.filter(one => one !== left)]))
    for (const client of [world.client('guest'), ...(await Promise.all(blind))]) {
      assert.deepEqual((await client.getGoal({ goal_id })).data.metric?.current, unknown)
      assert.deepEqual((await client.listGoals({ room_id })).data[0]?.metric?.current, unknown)
    }
    const key = await world.withKey(['goals:read', ...needed])
    assert.equal((await key.getGoal({ goal_id })).data.metric?.current.value, '2')
  })

  it('answers 404 for a List that is absent, of another Workspace, or hidden from the caller', async () => {
    const list_id = await newList()
    const elsewhere = await world.service.workspace('Elsewhere', world.people.member)
    const there = world.service.client({ access_token: world.people.member.token, workspace_id: elsewhere })
    const { goal_id } = (await there.createGoal({ title: 'Close' })).data
    const details = new Set<string>()
    for (const id of [newId('list'), list_id, 'no id at all' as string]) {
      const metric = countOfList(id)
      details.add((await refused(there.createGoal({ title: 'Close', metric }), 'not_found')).detail)
      details.add(
        (await refused(there.updateGoal({ goal_id, expected_revision: 9, metric }), 'not_found')).detail,
      )
    }
    const key = await world.withKey(['goals:read', 'goals:write'])
    const metric = countOfList(list_id)
    details.add((await refused(key.createGoal({ title: 'Close', metric }), 'not_found')).detail)
    assert.equal(details.size, 1)
  })

  it('is hidden in a replay from a caller who may no longer read it', async () => {
    const list_id = await newList()
    await member().countList({ list_id })
    const person = world.service.person('Pia')
    const membership_id = await world.service.join(world.workspace_id, person, 'member')
    const { goal_id } = await world.goal({ metric: countOfList(list_id) })
    const key = () => ({ idempotency_key: randomUUID() })
    const [create, update, reopen] = [key(), key(), key()]
    const asks = [
      () => as(person).createGoal({ title: 'Close', metric: countOfList(list_id) }, create),
      () =>
        as(person).updateGoal(
          { goal_id, expected_revision: 1, status: 'canceled', terminal_reason: 'No.' },
          update,
        ),
      () => as(person).reopenGoal({ goal_id, expected_revision: 2, reason: 'Yes.' }, reopen),
    ]
    for (const ask of asks) assert.equal((await ask()).data.metric?.current.value, '2')
    for (const ask of asks) assert.equal((await ask()).data.metric?.current.value, '2')
    await world.service.sql(
      `update memberships set permissions = '{"list_members:read": false}' where id = $1`,
      [membership_id],
    )
    for (const ask of asks) {
      const { data, idempotent_replay } = await ask()
      assert.deepEqual([data.metric?.current, idempotent_replay], [unknown, true])
    }
  })

  it('is sent again although the client has the revision; a Goal without one is not', async () => {
    const list_id = await newList()
    const counted = await world.goal({ metric: countOfList(list_id) })
    const plain = await world.goal()
    const ask = (goal_id: string) =>
      world.service.request(`/v1/goals/${goal_id}`, {
        token: world.people.member.token,
        headers: { 'svc-workspace-id': world.workspace_id, 'if-none-match': '"r1"' },
      })
    assert.equal((await ask(plain.goal_id)).status, 304)
    const { status, headers } = await ask(counted.goal_id)
    assert.deepEqual([status, headers.get('etag')], [200, '"r1"'])
  })

  const as = (person: Person) => world.as(person)
})
