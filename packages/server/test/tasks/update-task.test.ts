import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { addGoal } from './fresh-task.ts'
import { makeTaskWorld, type PersonName, type Task, type TaskWorld } from './task-fixture.ts'

let world: TaskWorld
before(async () => void (world = await makeTaskWorld()))
after(() => world.close())

type Changes = Omit<Parameters<ReturnType<TaskWorld['by']>['updateTask']>[0], 'task_id' | 'expected_revision'>

const update = (
  by: PersonName,
  { task_id, revision }: Task,
  changes: Changes,
  options?: { idempotency_key: string },
) => world.by(by).updateTask({ task_id, expected_revision: revision, ...changes }, options)

/** A Task of the member in a new Room in which the guest and the rival have these levels. */
async function taskInRoom(input: Parameters<TaskWorld['task']>[0] = {}, level: 'view' | 'edit' = 'view') {
  const room_id = await world.room()
  await world.invite(room_id, world.people.guest, level)
  await world.invite(room_id, world.people.rival, level)
  return world.task({ room_id, ...input })
}

describe('PATCH /v1/tasks/{task_id}', () => {
  it('changes what is given as a new revision, with an event that names the fields', async () => {
    const task = await taskInRoom({ description: 'All pages' })
    const { data, receipt } = await update('member', task, {
      title: 'Send the new lease',
      description: null,
      section: 'Property',
      due_at: '2027-02-01T00:00:00Z',
      priority: 'urgent',
      requires_evidence: true,
      status: 'blocked',
    })
    const changed = ['title', 'description', 'section', 'due_at', 'priority', 'requires_evidence', 'status']
    assert.deepEqual(receipt.changed, changed)
    assert.deepEqual(
      [
        data.title,
        data.description,
        data.section,
        data.due_at,
        data.priority,
        data.requires_evidence,
        data.status,
      ],
      ['Send the new lease', null, 'Property', '2027-02-01T00:00:00.000Z', 'urgent', true, 'blocked'],
    )
    assert.equal(data.revision, 2)
    assert.deepEqual(await world.seen('guest', task), data)
    const [, event] = await world.eventsOfTask(task.task_id)
    assert.deepEqual([event?.type, event?.about, event?.data], ['task.updated', null, { changed }])
  })

  it('does not create a revision if nothing changes', async () => {
    const task = await taskInRoom({ due_at: '2027-02-01T00:00:00Z' })
    const { data, receipt } = await update('member', task, {
      title: task.title,
      due_at: '2027-02-01T01:00:00+01:00',
      status: 'open',
    })
    assert.deepEqual([data, receipt.changed], [task, []])
    assert.equal((await world.eventsOfTask(task.task_id)).length, 1)
    await refused(update('member', task, {}), 'validation_error')
  })

  it('assigns a Task: an event about the new assignee, and a mail to them', async () => {
    const task = await taskInRoom({ assignee_user_id: world.id('rival') })
    const { data, receipt } = await update('member', task, {
      assignee_user_id: world.id('guest'),
      title: 'Yours',
    })
    assert.equal(data.assignee_user_id, world.id('guest'))
    assert.deepEqual(receipt.changed, ['title', 'assignee_user_id'])
    const events = await world.eventsOfTask(task.task_id)
    assert.deepEqual(
      events.slice(1).map(({ type, about, data: of }) => [type, about?.user_id, of]),
      [
        ['task.updated', undefined, { changed: ['title'] }],
        ['task.assigned', world.id('guest'), {}],
      ],
    )
    assert.deepEqual(await world.mailJobs(task.task_id), [world.id('rival'), world.id('guest')])
    await update('member', data, { assignee_user_id: null })
    const last = (await world.eventsOfTask(task.task_id)).at(-1)
    assert.deepEqual([last?.type, last?.data], ['task.updated', { changed: ['assignee_user_id'] }])
    assert.equal((await world.mailJobs(task.task_id)).length, 2)
  })

  it('refuses an assignee who cannot open the Room, and keeps one who no longer can', async () => {
    const task = await taskInRoom({ assignee_user_id: world.id('guest') })
    for (const assignee_user_id of [world.id('owner'), randomUUID()]) {
      const { errors } = await refused(update('member', task, { assignee_user_id }), 'validation_error')
      assert.deepEqual(
        errors.map(({ pointer, code }) => [pointer, code]),
        [['/assignee_user_id', 'conflict']],
      )
    }
    await world.service.sql(
      `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2`,
      [task.room_id, world.id('guest')],
    )
    const { data } = await update('member', task, { assignee_user_id: world.id('guest'), title: 'Kept' })
    assert.deepEqual([data.assignee_user_id, data.title], [world.id('guest'), 'Kept'])
  })

  it('takes edit access to the Room, or to be the creator; the assignee may change the status', async () => {
    const task = await taskInRoom({ assignee_user_id: world.id('guest') })
    await refused(update('rival', task, { status: 'in_progress' }), 'forbidden')
    await refused(update('guest', task, { title: 'Mine' }), 'forbidden')
    await refused(update('guest', task, { status: 'in_progress', title: 'Mine' }), 'forbidden')
    const { data } = await update('guest', task, { status: 'in_progress' })
    await refused(world.by('guest').cancelTask({ task_id: task.task_id, expected_revision: 2 }), 'forbidden')
    await refused(
      world.by('rival').completeTask({ task_id: task.task_id, expected_revision: 2 }),
      'forbidden',
    )
    const done = await world
      .by('guest')
      .completeTask({ task_id: task.task_id, expected_revision: data.revision })
    await refused(world.by('rival').reopenTask({ task_id: task.task_id, expected_revision: 3 }), 'forbidden')
    const again = { task_id: task.task_id, expected_revision: done.data.revision }
    assert.equal((await world.by('guest').reopenTask(again)).data.status, 'open')
    const question = await world.by('rival').createTask({
      title: 'Who owns the land?',
      room_id: task.room_id,
      kind: 'question',
    })
    assert.equal((await update('rival', question.data, { title: 'Who owns it?' })).data.revision, 2)
    const canceled = { task_id: question.data.task_id, expected_revision: 2 }
    assert.equal((await world.by('rival').cancelTask(canceled)).data.status, 'canceled')
    const editable = await taskInRoom({}, 'edit')
    assert.equal((await update('guest', editable, { title: 'Edited' })).data.title, 'Edited')
  })

  it('the rights of the assignee end with the assignment', async () => {
    const task = await taskInRoom({ assignee_user_id: world.id('guest') })
    const { data } = await update('member', task, { assignee_user_id: null })
    await refused(update('guest', data, { status: 'in_progress' }), 'forbidden')
  })

  it('every member who may write Tasks changes one without a Room', async () => {
    const task = await world.task()
    assert.equal((await update('admin', task, { title: 'Theirs' })).data.title, 'Theirs')
    await refused(update('viewer', task, { title: 'Mine' }), 'forbidden')
    await world.invite(await world.room(), world.people.guest, 'full_access')
    await refused(update('guest', task, { title: 'Mine' }), 'not_found')
  })

  it('answers for a hidden Business and Goal as for one that does not exist, whoever asks', async () => {
    const task = await taskInRoom()
    const draft = await addBusiness(world.service, { name: 'Draft', publication_status: 'draft' })
    const goal_id = await addGoal(world.service, world, world.people.owner)
    for (const changes of [
      { business_id: draft },
      { business_id: newId('biz') },
      { goal_id: newId('gol') },
      { goal_id },
    ])
      await refused(update('guest', task, changes), 'not_found')
    await refused(update('member', task, { business_id: draft }), 'not_found')
    assert.equal((await update('member', task, { goal_id })).data.goal_id, goal_id)
  })

  it('refuses a Goal that is in another Room, and no longer requiring evidence that is requested', async () => {
    const task = await taskInRoom({ kind: 'evidence_request' })
    const elsewhere = await addGoal(
      world.service,
      { ...world, room_id: await world.room() },
      world.people.member,
    )
    for (const [changes, pointer] of [
      [{ goal_id: elsewhere }, '/goal_id'],
      [{ requires_evidence: false }, '/requires_evidence'],
    ] as const) {
      const { errors } = await refused(update('member', task, changes), 'validation_error')
      assert.deepEqual(
        errors.map(one => [one.pointer, one.code]),
        [[pointer, 'conflict']],
      )
    }
    const here = await addGoal(world.service, { ...world, room_id: task.room_id }, world.people.member)
    const { data } = await update('member', task, { goal_id: here, requires_evidence: true })
    assert.deepEqual([data.goal_id, data.revision], [here, 2])
    assert.equal((await update('member', data, { goal_id: null })).data.goal_id, null)
  })

  it('changes nothing in an archived Room, or in a sub-room of one', async () => {
    const parent = await world.room()
    const { room } = await world.by('member').createRoom({ title: 'Lawyers', parent_room_id: parent })
    for (const room_id of [parent, room.room_id]) {
      const task = await world.task({ room_id })
      const at = { task_id: task.task_id, expected_revision: 1 }
      const archive = (status: 'active' | 'archived') =>
        world.service.sql(
          `update rooms set status = $2, archived_at = case when $2 = 'archived' then now() end where id = $1`,
          [parent, status],
        )
      await archive('archived')
      await refused(update('member', task, { title: 'Late' }), 'state_conflict')
      await refused(world.by('member').completeTask(at), 'state_conflict')
      await refused(world.by('member').cancelTask(at), 'state_conflict')
      await refused(world.by('member').reopenTask(at), 'state_conflict')
      await refused(
        world.by('member').createTaskComment({ task_id: task.task_id, text: 'Late' }),
        'state_conflict',
      )
      assert.deepEqual(await world.seen('member', task), task)
      assert.deepEqual((await world.by('member').listTaskComments({ task_id: task.task_id })).data, [])
      await archive('active')
    }
  })

  it('replays its answer whatever happened since, but not to somebody who has lost the Room', async () => {
    const task = await taskInRoom({ assignee_user_id: world.id('guest') })
    const options = { idempotency_key: randomUUID() }
    const first = await update('guest', task, { status: 'blocked' }, options)
    await update('member', first.data, { assignee_user_id: null })
    const again = await update('guest', task, { status: 'blocked' }, options)
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    await world.invite(await world.room(), world.people.guest, 'view')
    await world.service.sql(
      `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2`,
      [task.room_id, world.id('guest')],
    )
    await refused(update('guest', task, { status: 'blocked' }, options), 'not_found')
  })

  it('applies one of 30 concurrent changes of a revision', async () => {
    const task = await taskInRoom()
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) => update('member', task, { title: `Title ${i}` })),
    )
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await world.seen('member', task)).revision, 2)
    assert.equal((await world.eventsOfTask(task.task_id)).length, 2)
  })
})
