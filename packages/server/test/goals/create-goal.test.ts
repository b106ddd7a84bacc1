import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { makeGoalWorld, type GoalWorld } from './goal-fixture.ts'

let world: GoalWorld
before(async () => void (world = await makeGoalWorld()))
after(() => world.close())
const member = () => world.client('member')

describe('POST /v1/goals', () => {
  it('creates a Goal of the Workspace, which every member who may read Goals sees', async () => {
    const { data, receipt, idempotent_replay } = await member().createGoal({ title: '  Close in June ' })
    const { goal_id, created_at, updated_at, ...rest } = data
    assert.deepEqual(rest, {
      business_id: null,
      room_id: null,
      title: 'Close in June',
      description: null,
      status: 'active',
      accountable_user_id: null,
      due_at: null,
      metric: null,
      terminal_reason: null,
      completed_at: null,
      canceled_at: null,
      created_by: { type: 'user', id: world.people.member.user_id },
      revision: 1,
    })
    assert.equal(created_at, updated_at)
    assert.equal(idempotent_replay, false)
    assert.deepEqual([receipt.operation, receipt.resource], ['create_goal', { type: 'goal', id: goal_id }])
    for (const name of ['owner', 'admin', 'viewer'] as const)
      assert.deepEqual((await world.client(name).getGoal({ goal_id })).data, data)
    assert.deepEqual(await world.historyOf(goal_id), [
      { type: 'goal.created', feed: 'audit', room_id: null, data: {} },
    ])
  })

  it('creates a Goal in a Room, which those who can open the Room see, guests included', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const business_id = await addBusiness(world.service, { name: 'Glacier' })
    const given = {
      title: 'Close in June',
      description: 'Signed agreement.\nFunded loan.',
      room_id,
      business_id,
      accountable_user_id: world.people.guest.user_id,
      due_at: '2027-06-30T17:00:00+02:00',
    }
    const { data } = await member().createGoal(given)
    const { goal_id } = data
    assert.deepEqual(
      [data.room_id, data.business_id, data.accountable_user_id, data.description, data.due_at],
      [room_id, business_id, world.people.guest.user_id, given.description, '2027-06-30T15:00:00.000Z'],
    )
    assert.deepEqual((await world.client('guest').getGoal({ goal_id })).data, data)
    for (const name of ['owner', 'viewer', 'rival'] as const)
      await refused(world.client(name).getGoal({ goal_id }), name === 'rival' ? 'forbidden' : 'not_found')
    assert.deepEqual(await world.historyOf(goal_id), [
      { type: 'goal.created', feed: 'activity', room_id, data: {} },
    ])
  })

  it('keeps any moment by which a Goal is due', async () => {
    for (const due_at of [
      '0001-01-01T00:00:00.000Z',
      '0050-06-01T12:00:00.500Z',
      '9999-12-31T23:59:59.999Z',
    ]) {
      const { goal_id } = await world.goal({ due_at })
      assert.equal((await member().getGoal({ goal_id })).data.due_at, due_at)
    }
  })

  it('refuses viewers, guests, and keys without goals:write', async () => {
    const room_id = await world.room()
    for (const name of ['viewer', 'guest'] as const)
      await world.invite(room_id, world.people[name], 'full_access')
    for (const client of [
      world.client('viewer'),
      world.client('guest'),
      await world.withKey(['goals:read', 'rooms:read', 'rooms:write']),
    ])
      await refused(client.createGoal({ title: 'Mine', room_id }), 'forbidden')
  })

  it('lets a key act for its owner', async () => {
    const key = await world.withKey(['goals:read', 'goals:write'])
    const { data } = await key.createGoal({ title: 'By a program' })
    assert.equal(data.created_by.id, world.people.owner.user_id)
    const { data: mine } = await key.createGoal({
      title: 'Of its owner',
      accountable_user_id: world.people.owner.user_id,
    })
    const listed = await key.listGoals({ accountable_user_id: 'me' })
    assert.deepEqual(
      listed.data.map(one => one.goal_id),
      [mine.goal_id],
    )
  })

  it('requires edit access to the Room, which must be active, and answers 404 for one that is hidden', async () => {
    const room_id = await world.room()
    const inRoom = { title: 'Close', room_id }
    const hidden = await refused(world.client('admin').createGoal(inRoom), 'not_found')
    const absent = await refused(
      world.client('admin').createGoal({ ...inRoom, room_id: newId('rom') }),
      'not_found',
    )
    assert.equal(hidden.detail, absent.detail)
    await world.invite(room_id, world.people.admin, 'view')
    await refused(world.client('admin').createGoal(inRoom), 'forbidden')
    await member().archiveRoom({ room_id, expected_revision: 1 })
    const { current_status } = await refused(member().createGoal(inRoom), 'state_conflict')
    assert.equal(current_status, 'archived')
    await refused(world.client('admin').createGoal(inRoom), 'forbidden')
  })

  it('answers 404 for a Business that the caller cannot see, before it judges their level', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.admin, 'view')
    const business_id = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    const details = []
    for (const id of [business_id, newId('biz')]) {
      details.push(
        (await refused(member().createGoal({ title: 'Close', business_id: id }), 'not_found')).detail,
      )
      await refused(
        world.client('admin').createGoal({ title: 'Close', room_id, business_id: id }),
        'not_found',
      )
    }
    assert.equal(details[0], details[1])
    await world.service.link(world.workspace_id, business_id, world.people.owner)
    const { data } = await member().createGoal({ title: 'Close', business_id })
    assert.equal(data.business_id, business_id)
  })

  it('takes only a person who can open the Room, or a member who may read Goals, and tells no others apart', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const blind = world.service.person('Ben')
    const membership_id = await world.service.join(world.workspace_id, blind, 'member')
    await world.service.sql(`update memberships set permissions = '{"goals:read": false}' where id = $1`, [
      membership_id,
    ])
    await world.invite(room_id, blind, 'edit')
    const { rival, guest, viewer } = world.people
    const cases: [room_id: string | null, nobody: string[]][] = [
      [room_id, [viewer.user_id, rival.user_id, blind.user_id, randomUUID()]],
      [null, [guest.user_id, rival.user_id, blind.user_id, randomUUID()]],
    ]
    for (const [place, people] of cases) {
      const details = new Set<string>()
      for (const accountable_user_id of people) {
        const { errors, detail } = await refused(
          member().createGoal({ title: 'Close', room_id: place, accountable_user_id }),
          'validation_error',
        )
        details.add(detail)
        assert.deepEqual(
          errors.map(one => [one.pointer, one.code]),
          [['/accountable_user_id', 'conflict']],
        )
      }
      assert.equal(details.size, 1)
    }
    await world.goal({ accountable_user_id: viewer.user_id })
    await world.goal({ room_id, accountable_user_id: guest.user_id })
  })

  it('refuses text that is too long or has control characters, and takes any other', async () => {
    for (const [given, pointer] of [
      [{ title: 'a'.repeat(201) }, '/title'],
      [{ title: 'two\nlines' }, '/title'],
      [{ title: '  ' }, '/title'],
      [{ title: 'a', description: 'a'.repeat(10_001) }, '/description'],
      [{ title: 'a', due_at: '2027-02-30T00:00:00Z' }, '/due_at'],
    ] as const) {
      const { errors } = await refused(member().createGoal(given), 'validation_error')
      assert.deepEqual(
        errors.map(one => one.pointer),
        [pointer],
      )
    }
    const title = `'; drop table goals; -- <script>alert(1)</script> ${'😀'.repeat(100)}`
    const { goal_id } = (await member().createGoal({ title })).data
    assert.equal((await member().getGoal({ goal_id })).data.title, title)
  })

  it('replays its answer with the same key, and only to who can see the Goal now', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.admin, 'edit')
    const options = { idempotency_key: randomUUID() }
    const ask = (title = 'Close') => world.client('admin').createGoal({ title, room_id }, options)
    const first = await ask()
    const again = await ask()
    assert.deepEqual([again.idempotent_replay, again.data, again.receipt], [true, first.data, first.receipt])
    assert.equal((await world.historyOf(first.data.goal_id)).length, 1)
    await refused(ask('Another'), 'idempotency_key_reused')
    await world.service.sql(`update room_participants set status = 'revoked' where id = $1`, [participant_id])
    await refused(ask(), 'not_found')
  })
})
