import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { write } from '../../src/database/statement.ts'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../harness/businesses.ts'
import { lockWaits, unlocked } from '../harness/lock-waits.ts'
import { refused } from '../harness/refused.ts'
import { eventually } from '../harness/eventually.ts'
import { whileOpen } from '../rooms/room-fixture.ts'
import { makeGoalWorld, type GoalWorld } from './goal-fixture.ts'

let world: GoalWorld
before(async () => void (world = await makeGoalWorld()))
after(() => world.close())
const member = () => world.client('member')

describe('PATCH /v1/goals/{goal_id}', () => {
  it('changes what is given as a new revision, with an event that names the fields', async () => {
    const { goal_id } = await world.goal({ description: 'Soon.' })
    const business_id = await addBusiness(world.service, { name: 'Glacier' })
    const changes = {
      title: 'Close in July',
      description: null,
      business_id,
      accountable_user_id: world.people.viewer.user_id,
      due_at: '2027-07-31T00:00:00.000Z',
    }
    const { data, receipt } = await member().updateGoal({ goal_id, expected_revision: 1, ...changes })
    const { title, description, accountable_user_id, due_at } = data
    assert.deepEqual({ title, description, business_id, accountable_user_id, due_at }, changes)
    assert.equal(data.revision, 2)
    assert.deepEqual((await member().getGoal({ goal_id })).data, data)
    const changed = ['title', 'description', 'business_id', 'accountable_user_id', 'due_at']
    assert.deepEqual([receipt.operation, receipt.changed], ['update_goal', changed])
    assert.deepEqual((await world.historyOf(goal_id)).slice(1), [
      { type: 'goal.updated', feed: 'audit', room_id: null, data: { changed } },
    ])
    const cleared = { business_id: null, accountable_user_id: null, due_at: null }
    const { data: empty } = await member().updateGoal({ goal_id, expected_revision: 2, ...cleared })
    assert.deepEqual([empty.business_id, empty.accountable_user_id, empty.due_at], [null, null, null])
  })

  it('does not create a revision or an event if nothing changes', async () => {
    const { goal_id, ...goal } = await world.goal({
      accountable_user_id: world.people.viewer.user_id,
      due_at: '2027-07-31T00:00:00.000Z',
    })
    const { title, description, business_id, accountable_user_id, due_at } = goal
    const same = { title, description, business_id, accountable_user_id, due_at, metric: null }
    const { data, receipt } = await member().updateGoal({ goal_id, expected_revision: 1, ...same })
    assert.deepEqual(data, { goal_id, ...goal })
    assert.deepEqual(receipt.changed, [])
    assert.equal((await world.historyOf(goal_id)).length, 1)
    const { errors } = await refused(
      member().updateGoal({ goal_id, expected_revision: 1 }),
      'validation_error',
    )
    assert.equal(errors[0]?.code, 'required')
  })

  it('keeps a Business and a person whom the caller could no longer choose', async () => {
    const business_id = await addBusiness(world.service, { name: 'Glacier', publication_status: 'draft' })
    await world.service.link(world.workspace_id, business_id, world.people.owner)
    const leaver = world.service.person('Leo')
    await world.service.join(world.workspace_id, leaver, 'member')
    const { goal_id } = await world.goal({ business_id, accountable_user_id: leaver.user_id })
    await world.service.sql(`update memberships set status = 'removed' where user_id = $1`, [leaver.user_id])
    await world.service.sql('update workspace_businesses set removed_at = now() where business_id = $1', [
      business_id,
    ])
    const as_read = { goal_id, business_id, accountable_user_id: leaver.user_id }
    const { data } = await member().updateGoal({ ...as_read, expected_revision: 1, title: 'Later' })
    assert.deepEqual([data.title, data.business_id], ['Later', business_id])
    await member().updateGoal({ goal_id, expected_revision: 2, business_id: null, accountable_user_id: null })
    const again = { goal_id, expected_revision: 3 }
    await refused(member().updateGoal({ ...again, business_id }), 'not_found')
    await refused(member().updateGoal({ ...again, accountable_user_id: leaver.user_id }), 'validation_error')
  })

  for (const [status, event] of [
    ['completed', 'goal.completed'],
    ['canceled', 'goal.canceled'],
  ] as const)
    it(`ends a Goal as ${status}, with its reason and time, and tells that apart from an edit`, async () => {
      const room_id = await world.room()
      const { goal_id } = await world.goal({ room_id })
      const ending = { status, terminal_reason: 'The lender\nconfirmed.' }
      const { data, receipt } = await member().updateGoal({
        goal_id,
        expected_revision: 1,
        title: 'Closed',
        ...ending,
      })
      assert.deepEqual(
        [data.status, data.terminal_reason, data.revision],
        [status, 'The lender\nconfirmed.', 2],
      )
      assert.equal(data[`${status}_at`], receipt.occurred_at)
      assert.equal(status === 'completed' ? data.canceled_at : data.completed_at, null)
      assert.deepEqual(
        [receipt.operation, receipt.changed],
        ['update_goal', ['title', 'status', 'terminal_reason', `${status}_at`]],
      )
      const { terminal_reason } = ending
      assert.deepEqual((await world.historyOf(goal_id)).slice(1), [
        { type: 'goal.updated', feed: 'activity', room_id, data: { changed: ['title'] } },
        { type: event, feed: 'activity', room_id, data: { terminal_reason } },
      ])
      const other = await world.goal()
      await member().updateGoal({ goal_id: other.goal_id, expected_revision: 1, ...ending })
      assert.deepEqual(
        (await world.historyOf(other.goal_id)).map(one => one.type),
        ['goal.created', event],
      )
    })

  it('requires a reason to end a Goal, and takes none otherwise', async () => {
    const { goal_id } = await world.goal()
    const change = { goal_id, expected_revision: 1 }
    for (const [wrong, pointer] of [
      [{ status: 'completed' }, '/status'],
      [{ status: 'canceled', terminal_reason: ' ' }, '/terminal_reason'],
      [{ status: 'canceled', terminal_reason: 'a'.repeat(2001) }, '/terminal_reason'],
      [{ title: 'New', terminal_reason: 'Because.' }, '/terminal_reason'],
      [{ status: 'active', terminal_reason: 'Because.' }, '/status'],
    ] as const) {
      const { errors } = await refused(
        member().updateGoal({ ...change, ...(wrong as object) }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(one => one.pointer),
        [pointer],
      )
    }
    assert.equal((await member().getGoal({ goal_id })).data.revision, 1)
  })

  it('judges visibility, then the level, then the state, then the revision', async () => {
    const room_id = await world.room()
    const { goal_id } = await world.goal({ room_id })
    const stale = { goal_id, expected_revision: 99, title: 'Mine' }
    const hidden = await refused(world.client('owner').updateGoal(stale), 'not_found')
    const absent = await refused(
      world.client('owner').updateGoal({ ...stale, goal_id: newId('gol') }),
      'not_found',
    )
    assert.equal(hidden.detail, absent.detail)
    await world.invite(room_id, world.people.owner, 'view')
    await refused(world.client('owner').updateGoal({ ...stale, business_id: newId('biz') }), 'not_found')
    await refused(world.client('owner').updateGoal(stale), 'forbidden')
    const { expected, current, changed_fields } = await refused(
      member().updateGoal(stale),
      'revision_conflict',
    )
    assert.deepEqual([expected, current, changed_fields], [99, 1, ['title']])
    await member().updateGoal({
      goal_id,
      expected_revision: 1,
      status: 'canceled',
      terminal_reason: 'No.',
    })
    const ended = await refused(member().updateGoal(stale), 'state_conflict')
    assert.equal(ended.current_status, 'canceled')
    await member().archiveRoom({ room_id, expected_revision: 1 })
    for (const change of [
      () => member().updateGoal(stale),
      () => member().reopenGoal({ goal_id, expected_revision: 2, reason: 'On again.' }),
    ])
      assert.equal((await refused(change(), 'state_conflict')).current_status, 'archived')
    await refused(world.client('owner').updateGoal(stale), 'forbidden')
    assert.equal((await member().getGoal({ goal_id })).data.revision, 2)
  })

  it('is refused in a sub-room whose parent is archived, as creating one is', async () => {
    const parent_room_id = await world.room()
    const { room } = await member().createRoom({ title: 'Financials', parent_room_id })
    const { room_id } = room
    const { goal_id } = await world.goal({ room_id })
    await member().archiveRoom({ room_id: parent_room_id, expected_revision: 1 })
    for (const change of [
      member().updateGoal({ goal_id, expected_revision: 1, title: 'Later' }),
      member().createGoal({ title: 'Close', room_id }),
    ])
      assert.equal((await refused(change, 'state_conflict')).current_status, 'archived')
  })

  it('refuses guests, viewers, keys without goals:write, and shows nothing to keys without goals:read', async () => {
    const room_id = await world.room()
    for (const name of ['guest', 'viewer', 'owner'] as const)
      await world.invite(room_id, world.people[name], 'full_access')
    const { goal_id } = await world.goal({ room_id })
    const change = { goal_id, expected_revision: 1, title: 'Mine' }
    for (const client of [
      world.client('guest'),
      world.client('viewer'),
      await world.withKey(['goals:read', 'rooms:write']),
    ])
      await refused(client.updateGoal(change), 'forbidden')
    const blind = await world.withKey(['goals:write', 'rooms:read'])
    await refused(blind.updateGoal(change), 'not_found')
    await refused(blind.reopenGoal({ goal_id, expected_revision: 1, reason: 'On.' }), 'not_found')
    await refused(blind.getGoal({ goal_id }), 'forbidden')
  })

  it('replays its answer although the Goal has ended since, but not to who has lost it', async () => {
    const room_id = await world.room()
    const participant_id = await world.invite(room_id, world.people.admin, 'edit')
    const { goal_id } = await world.goal({ room_id })
    const options = { idempotency_key: randomUUID() }
    const ask = () =>
      world.client('admin').updateGoal({ goal_id, expected_revision: 1, title: 'Later' }, options)
    const first = await ask()
    await member().updateGoal({ goal_id, expected_revision: 2, status: 'completed', terminal_reason: 'Yes.' })
    const again = await ask()
    assert.deepEqual([again.idempotent_replay, again.data, again.receipt], [true, first.data, first.receipt])
    await world.service.sql(`update room_participants set status = 'revoked' where id = $1`, [participant_id])
    await refused(ask(), 'not_found')
  })

  it('applies one of 30 concurrent changes of a revision', async () => {
    const { goal_id } = await world.goal()
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) =>
        member().updateGoal({ goal_id, expected_revision: 1, title: `Title ${i}` }),
      ),
    )
    assert.equal(answers.filter(answer => answer.status === 'fulfilled').length, 1)
    assert.equal((await member().getGoal({ goal_id })).data.revision, 2)
    assert.equal((await world.historyOf(goal_id)).length, 2)
  })

  it('waits for a change of its Room, and is refused if that archived it', async () => {
    const room_id = await world.room()
    const { goal_id } = await world.goal({ room_id })
    const changing = await whileOpen(world, room_id, async tx => {
      const change = member()
        .updateGoal({ goal_id, expected_revision: 1, title: 'Too late' })
        .then(
          () => 'changed',
          (error: Error) => error,
        )
      await eventually(async () => (await lockWaits(world.service)) === 1)
      await tx.run(archive, { workspace_id: world.workspace_id, room_id })
      return { change }
    })
    assert.notEqual(await changing.change, 'changed')
    assert.equal((await member().getGoal({ goal_id })).data.title, 'Close in June')
  })

  it('does not let somebody who cannot see the Goal wait for its Room', async () => {
    const room_id = await world.room()
    const { goal_id } = await world.goal({ room_id })
    await whileOpen(world, room_id, () =>
      unlocked(
        world.service,
        refused(
          world.client('admin').updateGoal({ goal_id, expected_revision: 1, title: 'Mine' }),
          'not_found',
        ),
      ),
    )
  })
})

const archive = write(
  'test_goal_room_archive',
  `update rooms set status = 'archived', archived_at = now() where workspace_id = :workspace_id and id = :room_id`,
)
