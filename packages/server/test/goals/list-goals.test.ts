import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Client } from '@wbs/sdk'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { makeGoalWorld, type GoalWorld } from './goal-fixture.ts'

type Filter = NonNullable<Parameters<Client['listGoals']>[0]>

describe('GET /v1/goals', () => {
  let world: GoalWorld
  before(async () => void (world = await makeGoalWorld()))
  after(() => world.close())

  /** The titles of all pages, in the order in which they were made. */
  async function titles(client: Client, filter: Filter = {}): Promise<string[]> {
    const found: string[] = []
    for (let cursor: Filter['cursor']; ;) {
      const { data, page } = await client.listGoals({ ...filter, limit: 2, ...(cursor && { cursor }) })
      assert.ok(data.length <= 2)
      assert.deepEqual(
        data.map(one => one.goal_id),
        data.map(one => one.goal_id).toSorted(),
      )
      assert.equal(page.has_more, page.cursor !== null)
      found.push(...data.map(one => one.title))
      if (page.cursor === null) return found.toSorted()
      cursor = page.cursor
    }
  }

  it('shows members the Goals of the Workspace and of their Rooms, and guests those of their Rooms', async () => {
    const [open, closed] = [await world.room(), await world.room()]
    await world.invite(open, world.people.guest, 'view')
    await world.invite(open, world.people.viewer, 'view')
    for (const [title, room_id] of [
      ['a of all', null],
      ['b open', open],
      ['c closed', closed],
      ['d of all', null],
      ['e open', open],
    ] as const)
      await world.client('member').createGoal({ title, room_id })
    const all = ['a of all', 'b open', 'c closed', 'd of all', 'e open']
    assert.deepEqual(await titles(world.client('member')), all)
    assert.deepEqual(
      await titles(world.client('viewer')),
      all.filter(one => one !== 'c closed'),
    )
    assert.deepEqual(await titles(world.client('owner')), ['a of all', 'd of all'])
    assert.deepEqual(await titles(await world.withKey(['goals:read'])), ['a of all', 'd of all'])
    assert.deepEqual(await titles(world.client('guest')), ['b open', 'e open'])
    await refused(world.client('rival').listGoals({}), 'forbidden')
    await refused((await world.withKey(['rooms:read'])).listGoals({}), 'forbidden')
    assert.deepEqual(await titles(world.client('guest'), { room_id: open }), ['b open', 'e open'])
    assert.deepEqual(await titles(world.client('owner'), { status: 'completed' }), [])
    await world.client('member').archiveRoom({ room_id: open, expected_revision: 1 })
    assert.deepEqual(await titles(world.client('guest')), ['b open', 'e open'])
    const [participation] = await world.service.sql(
      `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2 returning id`,
      [open, world.people.viewer.user_id],
    )
    assert.ok(participation)
    assert.deepEqual(await titles(world.client('viewer')), ['a of all', 'd of all'])
  })

  it('filters by Room, Business, status, person and time, in any combination', async () => {
    const room_id = await world.room()
    const other_id = await world.room()
    const business_id = await addBusiness(world.service, { name: 'Glacier' })
    await world.invite(room_id, world.people.viewer, 'view')
    const make = (title: string, about: object) =>
      world.client('member').createGoal({ title, room_id, ...about })
    const mine = { accountable_user_id: world.people.viewer.user_id }
    await make('business', { business_id })
    await make('mine', mine)
    await make('mine, business', { ...mine, business_id, due_at: '2027-01-01T00:00:00Z' })
    const { data } = await make('mine, over', { ...mine, due_at: '2026-01-01T00:00:00Z' })
    await world.client('member').updateGoal({
      goal_id: data.goal_id,
      expected_revision: 1,
      status: 'completed',
      terminal_reason: 'Yes.',
    })
    await make('mine, elsewhere', { ...mine, room_id: null })
    const viewer = world.client('viewer')
    const cases: [Filter, string[]][] = [
      [{ room_id }, ['business', 'mine', 'mine, business', 'mine, over']],
      [{ business_id }, ['business', 'mine, business']],
      [{ accountable_user_id: 'me' }, ['mine', 'mine, business', 'mine, elsewhere', 'mine, over']],
      [mine, ['mine', 'mine, business', 'mine, elsewhere', 'mine, over']],
      [
        { accountable_user_id: world.people.viewer.user_id.toUpperCase(), room_id },
        ['mine', 'mine, business', 'mine, over'],
      ],
      [{ accountable_user_id: 'me', status: 'active' }, ['mine', 'mine, business', 'mine, elsewhere']],
      [{ room_id, status: 'completed' }, ['mine, over']],
      [{ room_id, status: 'canceled' }, []],
      [{ due_before: '2027-01-01T00:00:00.001Z' }, ['mine, business', 'mine, over']],
      [{ due_before: '2027-01-01T00:00:00Z' }, ['mine, over']],
      [{ business_id, accountable_user_id: 'me', due_before: '2028-01-01T00:00:00Z' }, ['mine, business']],
      [{ business_id: newId('biz') }, []],
    ]
    for (const [filter, expected] of cases)
      assert.deepEqual(await titles(viewer, filter), expected, JSON.stringify(filter))
    await refused(viewer.listGoals({ room_id: other_id }), 'not_found')
    await refused(viewer.listGoals({ room_id: newId('rom') }), 'not_found')
    const guest = world.client('guest')
    await world.invite(room_id, world.people.guest, 'view')
    assert.deepEqual(await titles(guest, { business_id }), ['business', 'mine, business'])
    assert.deepEqual(await titles(guest, mine), ['mine', 'mine, business', 'mine, over'])
    assert.deepEqual(await titles(guest, { accountable_user_id: 'me' }), [])
  })

  it('refuses a filter that has no valid form', async () => {
    for (const filter of [
      { accountable_user_id: 'Me' },
      { accountable_user_id: 'nobody' },
      { status: 'open' },
      { due_before: 'tomorrow' },
      { limit: 101 },
      { cursor: 'gol_1' },
    ])
      await refused(world.client('member').listGoals(filter as Filter), 'validation_error')
  })

  it('shows nothing of another Workspace', async () => {
    const { goal_id } = await world.goal({ accountable_user_id: world.people.member.user_id })
    const elsewhere = await world.service.workspace('Elsewhere', world.people.member)
    const there = world.service.client({ access_token: world.people.member.token, workspace_id: elsewhere })
    assert.deepEqual((await there.listGoals({})).data, [])
    assert.deepEqual((await there.listGoals({ accountable_user_id: 'me' })).data, [])
    await refused(there.getGoal({ goal_id }), 'not_found')
    await refused(there.updateGoal({ goal_id, expected_revision: 1, title: 'Mine' }), 'not_found')
  })
})
