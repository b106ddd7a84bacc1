import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { bakery } from '../../valuations/valuation-document.ts'
import { makeGoalWorld, type GoalWorld } from '../goal-fixture.ts'

let world: GoalWorld
before(async () => {
  world = await makeGoalWorld()
})
after(() => world.close())
const member = () => world.client('member')
const unknown = { value: null, as_of: null, status: 'unknown' }

const valuation = async (run = true) => (await member().createValuation(bakery({ run }))).data
const valueOf = (id: string) => ({
  name: 'Price',
  unit: 'USD',
  target: '500000',
  source: { type: 'valuation' as const, id },
})

describe('a metric that shows what a valuation concludes', () => {
  it('has the point of the conclusion, as of when the valuation was completed', async () => {
    const { valuation_id, conclusion, completed_at } = await valuation()
    const { goal_id, metric } = await world.goal({ metric: valueOf(valuation_id) })
    const current = { value: conclusion?.point.amount, as_of: completed_at, status: 'exact' }
    assert.deepEqual([metric?.source, metric?.current], [valueOf(valuation_id).source, current])
    const { data } = await member().getGoal({ goal_id })
    assert.deepEqual(data.metric, metric)
    const { data: listed } = await member().listGoals({ limit: 100 })
    assert.deepEqual(listed.find(one => one.goal_id === goal_id)?.metric, metric)
    const { data: renamed } = await member().updateGoal({ goal_id, expected_revision: 1, title: 'Later' })
    assert.deepEqual(renamed.metric, metric)
  })

  it('is unknown while the valuation is a draft, and then shows it without a new revision', async () => {
    const { valuation_id } = await valuation(false)
    const { goal_id, metric } = await world.goal({ metric: valueOf(valuation_id) })
    assert.deepEqual(metric?.current, unknown)
    const { data } = await member().runValuation({ valuation_id, expected_revision: 1 })
    const ask = await world.service.request(`/v1/goals/${goal_id}`, {
      token: world.people.member.token,
      headers: { 'svc-workspace-id': world.workspace_id, 'if-none-match': '"r1"' },
    })
    assert.equal(ask.status, 200)
    const { data: goal } = await member().getGoal({ goal_id })
    assert.deepEqual([goal.metric?.current.value, goal.revision], [data.conclusion?.point.amount, 1])
  })

  it('stays with the valuation that it names, although another one replaces it', async () => {
    const { valuation_id, conclusion } = await valuation()
    const { goal_id } = await world.goal({ metric: valueOf(valuation_id) })
    await member().reviseValuation({ valuation_id, expected_revision: 1 })
    const { data } = await member().getGoal({ goal_id })
    assert.equal(data.metric?.current.value, conclusion?.point.amount)
  })

  it('can take the place of a value set by hand, and give it back', async () => {
    const { valuation_id, conclusion } = await valuation()
    const byHand = { name: 'Price', target: '3', source: { type: 'manual' as const }, current: '1' }
    const { goal_id } = await world.goal({ metric: byHand })
    const change = { goal_id, expected_revision: 1, metric: valueOf(valuation_id) }
    const { data } = await member().updateGoal(change)
    assert.equal(data.metric?.current.value, conclusion?.point.amount)
    assert.deepEqual((await member().getGoal({ goal_id })).data, data)
    const { data: again } = await member().updateGoal({ goal_id, expected_revision: 2, metric: byHand })
    assert.deepEqual(again.metric?.current, { value: '1', as_of: again.updated_at, status: 'exact' })
  })

  it('is unknown for guests and for whoever may not read valuations', async () => {
    const { valuation_id, conclusion } = await valuation()
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    await world.invite(room_id, world.people.owner, 'view')
    const { goal_id } = await world.goal({ room_id, metric: valueOf(valuation_id) })
    for (const client of [world.client('guest'), await world.withKey(['goals:read'])]) {
      assert.deepEqual((await client.getGoal({ goal_id })).data.metric?.current, unknown)
      assert.deepEqual((await client.listGoals({ room_id })).data[0]?.metric?.current, unknown)
    }
    const key = await world.withKey(['goals:read', 'valuations:read'])
    const { data } = await key.getGoal({ goal_id })
    assert.equal(data.metric?.current.value, conclusion?.point.amount)
  })

  it('answers 404 for a valuation that is absent, of another Workspace, or hidden from the caller', async () => {
    const { valuation_id } = await valuation()
    const elsewhere = await world.service.workspace('Elsewhere', world.people.member)
    const there = world.service.client({ access_token: world.people.member.token, workspace_id: elsewhere })
    const { goal_id } = (await there.createGoal({ title: 'Close' })).data
    const details = new Set<string>()
    for (const id of [`val_${randomUUID().replaceAll('-', '')}`, valuation_id, 'no id at all']) {
      const metric = valueOf(id)
      details.add((await refused(there.createGoal({ title: 'Close', metric }), 'not_found')).detail)
      details.add(
        (await refused(there.updateGoal({ goal_id, expected_revision: 9, metric }), 'not_found')).detail,
      )
    }
    const key = await world.withKey(['goals:read', 'goals:write'])
    const metric = valueOf(valuation_id)
    details.add((await refused(key.createGoal({ title: 'Close', metric }), 'not_found')).detail)
    assert.equal(details.size, 1)
  })

  it('is hidden in a replay from a caller who may no longer read it', async () => {
    const { valuation_id, conclusion } = await valuation()
    const person = world.service.person('Pia')
    const membership_id = await world.service.join(world.workspace_id, person, 'member')
    const { goal_id } = await world.goal({ metric: valueOf(valuation_id) })
    const key = () => ({ idempotency_key: randomUUID() })
    const [create, update] = [key(), key()]
    const asks = [
      () => world.as(person).createGoal({ title: 'Close', metric: valueOf(valuation_id) }, create),
      () =>
        world
          .as(person)
          .updateGoal({ goal_id, expected_revision: 1, status: 'canceled', terminal_reason: 'No.' }, update),
    ]
    for (let i = 0; i < 2; i++)
      for (const ask of asks) assert.equal((await ask()).data.metric?.current.value, conclusion?.point.amount)
    await world.service.sql(
      `update memberships set permissions = '{"valuations:read": false}' where id = $1`,
      [membership_id],
    )
    for (const ask of asks) {
      const { data, idempotent_replay } = await ask()
      assert.deepEqual([data.metric?.current, idempotent_replay], [unknown, true])
    }
  })
})
