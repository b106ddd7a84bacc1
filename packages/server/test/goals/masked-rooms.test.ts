import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../harness/refused.ts'
import { makeGoalWorld, type GoalWorld } from './goal-fixture.ts'

describe('in a Room in which guests do not see each other', () => {
  let world: GoalWorld
  before(async () => void (world = await makeGoalWorld()))
  after(() => world.close())

  it('a guest sees the Goals of members and their own, and no trace of those of a rival', async () => {
    const room_id = await world.maskedRoom()
    const { guest, rival, member } = world.people
    const goalOf = (accountable_user_id: string | null) => world.goal({ room_id, accountable_user_id })
    const ofNobody = await goalOf(null)
    const ofMember = await goalOf(member.user_id)
    const ofGuest = await goalOf(guest.user_id)
    const ofRival = await goalOf(rival.user_id)
    const seen = async (name: 'member' | 'guest' | 'rival', filter = {}) =>
      (await world.client(name).listGoals({ room_id, ...filter })).data.map(one => one.goal_id)
    const ids = (...some: { goal_id: string }[]) => some.map(one => one.goal_id).toSorted()
    assert.deepEqual(await seen('member'), ids(ofNobody, ofMember, ofGuest, ofRival))
    assert.deepEqual(await seen('guest'), ids(ofNobody, ofMember, ofGuest))
    assert.deepEqual(await seen('rival'), ids(ofNobody, ofMember, ofRival))
    assert.deepEqual(await seen('guest', { accountable_user_id: rival.user_id }), [])
    assert.deepEqual(await seen('guest', { accountable_user_id: 'me' }), ids(ofGuest))
    const guestClient = world.client('guest')
    const { data, page } = await guestClient.listGoals({ limit: 3 })
    assert.deepEqual([data.length, page], [3, { cursor: null, has_more: false }])
    const hidden = await refused(guestClient.getGoal({ goal_id: ofRival.goal_id }), 'not_found')
    const absent = await refused(guestClient.getGoal({ goal_id: newId('gol') }), 'not_found')
    assert.equal(hidden.detail, absent.detail)
    assert.deepEqual((await guestClient.getGoal({ goal_id: ofGuest.goal_id })).data, ofGuest)
  })

  it('the feed tells a guest nothing about the Goals of a rival', async () => {
    const room_id = await world.maskedRoom()
    const { guest, rival } = world.people
    const ofGuest = await world.goal({ room_id, accountable_user_id: guest.user_id })
    const ofRival = await world.goal({ room_id, accountable_user_id: rival.user_id })
    for (const { goal_id } of [ofGuest, ofRival])
      await world.client('member').updateGoal({ goal_id, expected_revision: 1, title: 'Later' })
    const told = async (name: 'member' | 'guest' | 'rival') => {
      const { data } = await world.client(name).listEvents({ room_id, types: ['goal.*'], limit: 100 })
      return data.map(one => `${one.type} ${one.subject.id}`).toSorted()
    }
    const eventsOf = (...goals: { goal_id: string }[]) =>
      goals.flatMap(({ goal_id }) => [`goal.created ${goal_id}`, `goal.updated ${goal_id}`]).toSorted()
    assert.deepEqual(await told('member'), eventsOf(ofGuest, ofRival))
    assert.deepEqual(await told('guest'), eventsOf(ofGuest))
    assert.deepEqual(await told('rival'), eventsOf(ofRival))
  })

  it('a Goal is hidden from a guest once it passes to a rival, and shown again once it returns', async () => {
    const room_id = await world.maskedRoom()
    const { guest, rival } = world.people
    const { goal_id } = await world.goal({ room_id, accountable_user_id: guest.user_id })
    const give = (accountable_user_id: string, expected_revision: number) =>
      world.client('member').updateGoal({ goal_id, expected_revision, accountable_user_id })
    await give(rival.user_id, 1)
    await refused(world.client('guest').getGoal({ goal_id }), 'not_found')
    await give(guest.user_id, 2)
    assert.equal((await world.client('guest').getGoal({ goal_id })).data.revision, 3)
    await refused(world.client('rival').getGoal({ goal_id }), 'not_found')
  })

  it('the events of a Goal without a Room are in no feed', async () => {
    const { goal_id } = await world.goal()
    const { data } = await world.client('member').listEvents({ limit: 100 })
    assert.ok(!data.some(one => one.subject.id === goal_id))
  })
})
