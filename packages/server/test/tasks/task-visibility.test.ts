import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openStream } from '../activity/event-reader.ts'
import { refused } from '../harness/refused.ts'
import { makeTaskWorld, type PersonName, type Task, type TaskWorld } from './task-fixture.ts'

let world: TaskWorld
before(async () => void (world = await makeTaskWorld()))
after(() => world.close())

const listed = async (by: PersonName, room_id: string) =>
  (await world.by(by).listTasks({ room_id, limit: 100 })).data.map(({ task_id }) => task_id)
const eventsFor = async (by: PersonName, room_id: string) =>
  (await world.by(by).listEvents({ room_id, types: ['task.*'], limit: 100 })).data

describe('in a Room that masks guests, rivals do not learn of each other', () => {
  let room_id: string
  /** A Task of the guest, one that is assigned to the guest, and one for all. */
  let own: Task
  let assigned: Task
  let forAll: Task
  before(async () => {
    room_id = await world.maskedRoom('edit')
    own = (await world.by('guest').createTask({ title: 'Of the guest', room_id, kind: 'question' })).data
    assigned = await world.task({ room_id, title: 'For the guest', assignee_user_id: world.id('guest') })
    forAll = await world.task({ room_id, title: 'For all' })
    await world.by('guest').createTaskComment({ task_id: forAll.task_id, text: 'By the guest' })
  })

  it('by a Task, in a list or by its id, nor by a change of it', async () => {
    assert.deepEqual(
      (await listed('guest', room_id)).toSorted(),
      [own, assigned, forAll].map(one => one.task_id).toSorted(),
    )
    assert.deepEqual(await listed('rival', room_id), [forAll.task_id])
    assert.equal((await listed('member', room_id)).length, 3)
    const rival = world.by('rival')
    for (const { task_id } of [own, assigned]) {
      const at = { task_id, expected_revision: 1 }
      await refused(rival.getTask({ task_id }), 'not_found')
      await refused(rival.updateTask({ ...at, title: 'Mine' }), 'not_found')
      await refused(rival.completeTask(at), 'not_found')
      await refused(rival.cancelTask(at), 'not_found')
      await refused(rival.reopenTask(at), 'not_found')
      await refused(rival.listTaskComments({ task_id }), 'not_found')
      await refused(rival.createTaskComment({ task_id, text: 'Mine' }), 'not_found')
    }
    assert.deepEqual((await rival.listTasks({ assignee: world.id('guest') })).data, [])
    const page = await rival.listTasks({ room_id, limit: 1 })
    assert.deepEqual(page.page, { cursor: null, has_more: false })
  })

  it('by events, however they are read', async () => {
    const mine = await eventsFor('guest', room_id)
    assert.deepEqual(
      mine.map(({ type }) => type),
      ['task.commented', 'task.created', 'task.created', 'task.created'],
    )
    assert.deepEqual(
      (await eventsFor('rival', room_id)).map(({ type, subject }) => [type, subject.id]),
      [['task.created', forAll.task_id]],
    )
    const feed = await world.by('rival').listEventChanges({ room_id, types: ['task.*'] })
    assert.deepEqual(
      feed.data.map(({ subject }) => subject.id),
      [forAll.task_id],
    )
    for (const { id, subject } of mine)
      if (subject.id !== forAll.task_id)
        await refused(world.by('rival').getEvent({ event_id: id }), 'not_found')
  })

  it('by a stream', async () => {
    const streams = await Promise.all(
      (['guest', 'rival'] as const).map(name =>
        openStream(world, { authorization: `Bearer ${world.people[name].token}` }, `?room_id=${room_id}`),
      ),
    )
    const [ofGuest, ofRival] = streams
    assert.ok(ofGuest && ofRival)
    await world
      .by('guest')
      .updateTask({ task_id: own.task_id, expected_revision: 1, title: 'Still of the guest' })
    await world
      .by('member')
      .updateTask({ task_id: forAll.task_id, expected_revision: 1, title: 'Still for all' })
    const typesOf = async (stream: typeof ofGuest, count: number) => {
      const types: string[] = []
      for (let i = 0; i < count; i++) types.push(String((await stream.next('data')).data?.type))
      return types
    }
    assert.deepEqual(await typesOf(ofGuest, 2), ['task.updated', 'task.updated'])
    assert.deepEqual(await typesOf(ofRival, 1), ['task.updated'])
    assert.equal(ofRival.blocks.filter(({ data }) => data?.type === 'task.updated').length, 1)
    for (const stream of streams) stream.close()
  })

  it('by evidence that one of them added', async () => {
    const task = await world.task({ room_id, requires_evidence: true })
    const file_id = await world.fileIn(room_id)
    await world.by('guest').completeTask({
      task_id: task.task_id,
      expected_revision: 1,
      evidence_file_ids: [file_id],
    })
    const shown = async (by: PersonName) =>
      (await world.seen(by, task)).evidence.map(({ added_by }) => added_by)
    assert.deepEqual(await shown('guest'), [world.id('guest')])
    assert.deepEqual(await shown('member'), [world.id('guest')])
    assert.deepEqual(await shown('rival'), [])
    await world.by('member').reopenTask({ task_id: task.task_id, expected_revision: 2 })
    await refused(
      world.by('rival').completeTask({ task_id: task.task_id, expected_revision: 3 }),
      'evidence_required',
    )
    const again = { task_id: task.task_id, expected_revision: 3, evidence_file_ids: [file_id] }
    const { data } = await world.by('rival').completeTask(again)
    assert.equal(data.status, 'done')
    const { evidence } = await world.seen('rival', task)
    assert.deepEqual(
      evidence,
      data.evidence,
      'a File that the other one added before is as one that nobody added',
    )
    assert.deepEqual(await shown('rival'), [world.id('rival')])
    assert.deepEqual(await shown('guest'), [world.id('guest')])
    assert.deepEqual(await shown('member'), [world.id('guest'), world.id('rival')])
  })

  it('so neither can be given a Task that the other one created, which they could not see', async () => {
    const { task_id } = own
    const given = { task_id, expected_revision: 1, assignee_user_id: world.id('rival') }
    const { errors } = await refused(world.by('member').updateTask(given), 'validation_error')
    assert.deepEqual(
      errors.map(({ pointer, code }) => [pointer, code]),
      [['/assignee_user_id', 'conflict']],
    )
    const room = await world.maskedRoom()
    await world.service.sql(
      `update room_participants set access_level = 'full_access' where room_id = $1 and user_id = $2`,
      [room, world.id('guest')],
    )
    const manager = world.by('guest')
    for (const name of ['member', 'guest'] as const) {
      const { data } = await manager.createTask({
        title: 'Seen',
        room_id: room,
        assignee_user_id: world.id(name),
      })
      assert.deepEqual(await world.seen(name, data), data)
    }
    const assigned = { room_id: room, assignee_user_id: world.id('rival') }
    await refused(manager.createTask({ title: 'Unseen', ...assigned }), 'validation_error')
    const list = { template: 'sba_7a_loan', ...assigned } as const
    await refused(manager.createRoomRequests(list), 'validation_error')
    assert.ok((await world.by('member').createRoomRequests(list)).data.created > 0)
  })

  it('by what a member does with a Task of the guest', async () => {
    const room = await world.maskedRoom('edit')
    const given = { title: 'Of the guest', room_id: room, kind: 'question' } as const
    const { task_id } = (await world.by('guest').createTask(given)).data
    await world.by('member').updateTask({ task_id, expected_revision: 1, title: 'Answered soon' })
    const typesFor = async (name: PersonName) => (await eventsFor(name, room)).map(({ type }) => type)
    assert.deepEqual(await typesFor('guest'), ['task.updated', 'task.created'])
    assert.deepEqual(await typesFor('rival'), [])
  })

  it('and see a Task from when it concerns nobody but members', async () => {
    const task = await world.task({ room_id, assignee_user_id: world.id('guest') })
    await refused(world.by('rival').getTask({ task_id: task.task_id }), 'not_found')
    await world
      .by('member')
      .updateTask({ task_id: task.task_id, expected_revision: 1, assignee_user_id: null })
    assert.equal((await world.seen('rival', task)).assignee_user_id, null)
    const types = (await eventsFor('rival', room_id)).filter(({ subject }) => subject.id === task.task_id)
    assert.deepEqual(
      types.map(({ type }) => type),
      ['task.updated'],
      'the event about the guest stays hidden',
    )
  })
})

describe('about=me', () => {
  it('has the Tasks that were assigned to the reader, own acts included, while they can open the Room', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'edit')
    const first = await world.task({ room_id, assignee_user_id: world.id('guest') })
    const second = await world.task({ room_id })
    await world.by('member').updateTask({
      task_id: second.task_id,
      expected_revision: 1,
      assignee_user_id: world.id('guest'),
    })
    const { data: third } = await world
      .by('guest')
      .createTask({ title: 'Mine', room_id, assignee_user_id: world.id('guest') })
    const about = async () =>
      (await world.by('guest').listEvents({ about: 'me', room_id })).data.map(({ type, subject, mine }) => [
        type,
        subject.id,
        mine,
      ])
    assert.deepEqual(await about(), [
      ['task.created', third.task_id, true],
      ['task.assigned', second.task_id, false],
      ['task.created', first.task_id, false],
    ])
    assert.deepEqual((await world.by('member').listEvents({ about: 'me', room_id })).data, [])
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, [
      'events:read',
      'tasks:write',
    ])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const own = await key.createTask({ title: 'Of the owner', room_id, assignee_user_id: world.id('member') })
    assert.deepEqual(
      (await key.listEvents({ about: 'me', room_id })).data.map(({ subject }) => subject.id),
      [own.data.task_id],
    )
    await world.invite(await world.room(), world.people.guest, 'view')
    await world.service.sql(
      `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2`,
      [room_id, world.id('guest')],
    )
    await refused(about(), 'not_found')
    assert.deepEqual(
      (await world.by('guest').listEvents({ about: 'me', limit: 100 })).data.filter(
        ({ room }) => room.id === room_id,
      ),
      [],
    )
  })
})

describe('a Task in another Workspace', () => {
  it('is not found, by whatever it is asked for', async () => {
    const { task_id } = await world.task()
    const stranger = world.service.person('Stranger')
    const other = await world.service.workspace('Elsewhere', stranger)
    const there = world.service.client({ access_token: stranger.token, workspace_id: other })
    const at = { task_id, expected_revision: 1 }
    await refused(there.getTask({ task_id }), 'not_found')
    await refused(there.updateTask({ ...at, title: 'Mine' }), 'not_found')
    await refused(there.completeTask(at), 'not_found')
    await refused(there.cancelTask(at), 'not_found')
    await refused(there.reopenTask(at), 'not_found')
    await refused(there.listTaskComments({ task_id }), 'not_found')
    await refused(there.createTaskComment({ task_id, text: 'Mine' }), 'not_found')
    assert.deepEqual((await there.listTasks({})).data, [])
  })
})

describe('access that ends', () => {
  it('hides the Task at once, from its assignee and its creator too', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'edit')
    await world.invite(await world.room(), world.people.guest, 'view')
    const { data: created } = await world.by('guest').createTask({ title: 'Mine', room_id })
    const assigned = await world.task({ room_id, assignee_user_id: world.id('guest') })
    await world.service.sql(
      `update room_participants set expires_at = now() - interval '1 second' where room_id = $1 and user_id = $2`,
      [room_id, world.id('guest')],
    )
    for (const { task_id } of [created, assigned]) {
      await refused(world.by('guest').getTask({ task_id }), 'not_found')
      await refused(world.by('guest').completeTask({ task_id, expected_revision: 1 }), 'not_found')
    }
    const { data } = await world.by('guest').listTasks({ assignee: 'me', limit: 100 })
    assert.ok(data.every(task => task.room_id !== room_id))
  })
})

it('takes the permission tasks:read to see a Task in the answer of a change', async () => {
  const { service, workspace_id, people } = world
  const withKey = async (scopes: Parameters<typeof service.apiKey>[2]) => {
    const { secret } = await service.apiKey(workspace_id, people.owner, scopes)
    return service.client({ api_key: secret, workspace_id })
  }
  const { task_id } = await world.task({ description: 'For those who read Tasks.' })
  const key = await withKey(['tasks:write'])
  const at = { task_id, expected_revision: 1 }
  for (const change of [
    () => key.updateTask({ ...at, priority: 'low' }),
    () => key.completeTask(at),
    () => key.cancelTask(at),
    () => key.reopenTask(at),
    () => key.createTaskComment({ task_id, text: 'Seen?' }),
  ])
    await refused(change(), 'not_found')
  const reading = await withKey(['tasks:read', 'tasks:write'])
  assert.equal((await reading.updateTask({ ...at, priority: 'low' })).data.priority, 'low')
})
