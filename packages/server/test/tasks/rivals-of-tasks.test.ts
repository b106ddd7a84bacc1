import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../harness/refused.ts'
import { makeTaskWorld, type PersonName, type TaskWorld } from './task-fixture.ts'

describe('a Task that rival guests see', () => {
  let world: TaskWorld
  before(async () => {
    world = await makeTaskWorld()
  })
  after(() => world.service.close())

  it('shows the note with which one of them ended it to that guest and to members alone', async () => {
    const room_id = (await world.maskedRoom('edit')) as never
    const task = await world.task({ room_id })
    const { task_id } = task
    await world.by('guest').completeTask({ task_id, expected_revision: 1, note: 'Our bid is five million' })
    assert.equal((await world.seen('guest', task)).terminal_reason, 'Our bid is five million')
    assert.equal((await world.seen('member', task)).terminal_reason, 'Our bid is five million')
    const shown = await world.seen('rival', task)
    assert.equal(shown.status, 'done')
    assert.equal(shown.terminal_reason, null)
    const { data } = await world.by('rival').listTasks({ room_id })
    assert.equal(data[0]?.terminal_reason, null)
    await world.by('member').reopenTask({ task_id, expected_revision: 2 })
    const events = await world.by('rival').listEvents({ room_id })
    assert.doesNotMatch(JSON.stringify(events), /five million/)
    const all = await world.by('member').listEvents({ room_id })
    assert.match(JSON.stringify(all), /five million/)
  })

  it('is hidden from the others once one of them has changed it', async () => {
    const room_id = (await world.maskedRoom('edit')) as never
    const task = await world.task({ room_id })
    await world.by('guest').updateTask({ task_id: task.task_id, expected_revision: 1, title: 'Our bid' })
    await refused(world.seen('rival', task), 'not_found')
    assert.equal((await world.by('rival').getRequestProgress({ room_id })).data.total, 0)
    assert.equal((await world.by('guest').getRequestProgress({ room_id })).data.total, 1)
  })

  it('names no File that they cannot open', async () => {
    const room_id = (await world.maskedRoom('edit')) as never
    const { file } = await world.by('guest').createTextFile({ name: 'Bid.md', content: 'Five', room_id })
    const { file_id } = file
    const task = await world.task({ room_id })
    await world.by('member').completeTask({
      task_id: task.task_id,
      expected_revision: 1,
      evidence_file_ids: [file_id],
    })
    await world.by('member').createTaskComment({ task_id: task.task_id, text: 'See it', file_ids: [file_id] })
    assert.deepEqual((await world.seen('rival', task)).evidence, [])
    const [comment] = (await world.by('rival').listTaskComments({ task_id: task.task_id })).data
    assert.deepEqual(comment?.files, [])
    const events = await world.by('rival').listEvents({ room_id })
    assert.doesNotMatch(JSON.stringify(events), new RegExp(file_id))
  })

  it('names no Goal that they cannot see', async () => {
    const room_id = (await world.maskedRoom('edit')) as never
    const accountable_user_id = world.id('guest')
    const { goal_id } = (await world.by('member').createGoal({ title: 'Win', room_id, accountable_user_id }))
      .data
    const task = await world.task({ room_id, goal_id })
    assert.equal((await world.seen('guest', task)).goal_id, goal_id)
    assert.equal((await world.seen('rival', task)).goal_id, null)
    // A change by somebody who cannot see it leaves it.
    await world.by('rival').completeTask({ task_id: task.task_id, expected_revision: 1 })
    assert.equal((await world.seen('member', task)).goal_id, goal_id)
  })

  it('cannot be found by a Goal that they cannot see, nor does it lose the Goal by what they send back', async () => {
    const room_id = (await world.maskedRoom('edit')) as never
    const accountable_user_id = world.id('guest')
    const { goal_id } = (await world.by('member').createGoal({ title: 'Win', room_id, accountable_user_id }))
      .data
    const task = await world.task({ room_id, goal_id })
    const { task_id } = task
    for (const filter of [{ goal_id }, { goal_id, room_id }]) {
      assert.deepEqual((await world.by('rival').listTasks(filter)).data, [])
      assert.equal((await world.by('guest').listTasks(filter)).data.length, 1)
    }
    const shown = await world.seen('rival', task)
    const { data, receipt } = await world
      .by('rival')
      .updateTask({ task_id, expected_revision: 1, goal_id: shown.goal_id, status: 'in_progress' })
    assert.deepEqual([data.goal_id, receipt.changed], [null, ['status']])
    assert.equal((await world.seen('member', task)).goal_id, goal_id)
    const naming = { task_id, expected_revision: 2, goal_id }
    await refused(world.by('rival').updateTask(naming), 'not_found')
  })

  it('says to none of them by reopening it that another one has left a note', async () => {
    const room_id = (await world.maskedRoom('edit')) as never
    const { task_id } = await world.task({ room_id })
    await world.by('guest').completeTask({ task_id, expected_revision: 1, note: 'Our bid is five million' })
    const { receipt } = await world.by('rival').reopenTask({ task_id, expected_revision: 2 })
    assert.deepEqual(receipt.changed, ['status', 'completed_at'])
  })

  it('does not repeat a note of before it was recorded who gave one', async () => {
    const room_id = (await world.maskedRoom('edit')) as never
    const { task_id } = await world.task({ room_id })
    const end = (name: PersonName, expected_revision: number, note: string) =>
      world.by(name).completeTask({ task_id, expected_revision, note })
    const reopen = (expected_revision: number) =>
      world.by('member').reopenTask({ task_id, expected_revision })
    const shown = async (name: PersonName) => JSON.stringify(await world.by(name).listEvents({ room_id }))
    await end('guest', 1, 'Our bid is five million')
    await reopen(2)
    await end('guest', 3, 'Our bid is six million')
    // As the migration finds it: an event about nobody, and a note of which nobody knows who gave it.
    await world.service.sql(`update events set about = null where subject ->> 'id' = $1`, [task_id])
    await world.service.sql(
      'update tasks set ended_by = null, enders_unknown_until = statement_timestamp() where id = $1',
      [task_id],
    )
    await reopen(4)
    await end('member', 5, 'It was agreed')
    await reopen(6)
    assert.match(await shown('rival'), /It was agreed/)
    assert.doesNotMatch(await shown('rival'), /million/)
    for (const note of [/five million/, /six million/, /It was agreed/])
      assert.match(await shown('member'), note)
  })
})
