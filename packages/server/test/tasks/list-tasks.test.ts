import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { addGoal } from './fresh-task.ts'
import { makeTaskWorld, type PersonName, type Task, type TaskWorld } from './task-fixture.ts'

type Filter = Parameters<ReturnType<TaskWorld['by']>['listTasks']>[0]

let world: TaskWorld
const tasks: Record<string, Task> = {}
let room_id: string
let business_id: string
let goal_id: string

const past = new Date(Date.now() - 3_600_000).toISOString()
const future = new Date(Date.now() + 3_600_000).toISOString()

before(async () => {
  world = await makeTaskWorld()
  room_id = await world.room()
  await world.invite(room_id, world.people.guest, 'view')
  business_id = await addBusiness(world.service, { name: 'Glacier' })
  goal_id = await addGoal(world.service, world, world.people.member)
  const hidden = (await world.by('owner').createRoom({ title: 'Without the member' })).room.room_id
  const inputs: Record<string, Parameters<TaskWorld['task']>[0]> = {
    plain: {},
    'of the goal': { goal_id, priority: 'low' },
    'of the business': { business_id },
    'in the room': { room_id, assignee_user_id: world.id('guest'), due_at: past },
    question: { room_id, kind: 'question', due_at: future, assignee_user_id: world.id('member') },
    'mine overdue': { assignee_user_id: world.id('member'), due_at: past, business_id, goal_id },
    'mine done': { assignee_user_id: world.id('member'), due_at: past },
    'mine blocked': { room_id, assignee_user_id: world.id('member'), priority: 'urgent' },
  }
  for (const [name, input] of Object.entries(inputs)) tasks[name] = await world.task(input)
  await world.by('owner').createTask({ title: 'Hidden', room_id: hidden, business_id, goal_id })
  const at = (name: string) => ({
    task_id: String(tasks[name]?.task_id),
    expected_revision: 1,
  })
  await world.by('member').completeTask(at('mine done'))
  await world.by('member').updateTask({ ...at('mine blocked'), status: 'blocked' })
})
after(() => world.close())

const nameOf = (id: string) => Object.keys(tasks).find(name => tasks[name]?.task_id === id) ?? 'unknown'
const listed = async (by: PersonName, filter: Filter = {}) => {
  const { data, page } = await world.by(by).listTasks({ limit: 100, ...filter })
  assert.deepEqual(page, { cursor: null, has_more: false })
  return data.map(({ task_id }) => nameOf(task_id))
}

describe('GET /v1/tasks', () => {
  it('lists the Tasks that a member sees, in the order of their ids, as they are read one by one', async () => {
    const { data } = await world.by('member').listTasks({ limit: 100 })
    assert.deepEqual(data.map(({ task_id }) => nameOf(task_id)).toSorted(), Object.keys(tasks).toSorted())
    assert.deepEqual(
      data.map(({ task_id }) => task_id),
      data.map(({ task_id }) => task_id).toSorted(),
    )
    for (const task of data) assert.deepEqual(await world.seen('member', task), task)
  })

  it('shows a guest the Tasks of their Rooms, and a member without the Room those without a Room', async () => {
    assert.deepEqual(await listed('guest'), ['in the room', 'question', 'mine blocked'])
    assert.deepEqual(await listed('viewer'), [
      'plain',
      'of the goal',
      'of the business',
      'mine overdue',
      'mine done',
    ])
  })

  const filters: [Filter | (() => Filter), string[]][] = [
    [() => ({ room_id }), ['in the room', 'question', 'mine blocked']],
    [() => ({ business_id }), ['of the business', 'mine overdue']],
    [() => ({ goal_id }), ['of the goal', 'mine overdue']],
    [{ assignee: 'me' }, ['question', 'mine overdue', 'mine done', 'mine blocked']],
    [() => ({ assignee: world.id('guest') }), ['in the room']],
    [
      () => ({ assignee: world.id('member').toUpperCase() }),
      ['question', 'mine overdue', 'mine done', 'mine blocked'],
    ],
    [() => ({ assignee: 'me', room_id }), ['question', 'mine blocked']],
    [{ assignee: 'me', status: 'open' }, ['question', 'mine overdue']],
    [{ assignee: 'me', status: 'done' }, ['mine done']],
    [{ assignee: 'me', overdue: true }, ['mine overdue']],
    [{ assignee: 'me', overdue: false }, ['question', 'mine done', 'mine blocked']],
    [{ overdue: true }, ['in the room', 'mine overdue']],
    [() => ({ overdue: true, room_id }), ['in the room']],
    [() => ({ overdue: false, room_id }), ['question', 'mine blocked']],
    [{ status: 'blocked' }, ['mine blocked']],
    [{ status: 'canceled' }, []],
    [{ kind: 'question' }, ['question']],
    [{ priority: 'urgent' }, ['mine blocked']],
    [{ priority: 'urgent', kind: 'question' }, []],
    [{ due_before: new Date().toISOString() }, ['in the room', 'mine overdue', 'mine done']],
    [() => ({ business_id, goal_id }), ['mine overdue']],
    [() => ({ goal_id, assignee: 'me', overdue: true }), ['mine overdue']],
    [{ goal_id: newId('gol') }, []],
    [{ business_id: newId('biz') }, []],
    [{ assignee: '0190a7a2-0000-7000-8000-000000000009' }, []],
  ]
  for (const [index, [given, expected]] of filters.entries())
    it(`filters: ${index + 1}, ${expected.join(', ') || 'nothing'}`, async () => {
      const filter = typeof given === 'function' ? given() : given
      assert.deepEqual(await listed('member', filter), expected, JSON.stringify(filter))
      // Page by page, it is the same.
      const found: string[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const { data, page } = await world
          .by('member')
          .listTasks({ ...filter, limit: 1, ...(cursor && { cursor }) })
        found.push(...data.map(({ task_id }) => nameOf(task_id)))
        cursor = page.cursor
      }
      assert.deepEqual(found, expected)
    })

  it('filters what a guest sees', async () => {
    assert.deepEqual(await listed('guest', { assignee: 'me' }), ['in the room'])
    assert.deepEqual(await listed('guest', { assignee: 'me', overdue: true }), ['in the room'])
    assert.deepEqual(await listed('guest', { assignee: world.id('member') }), ['question', 'mine blocked'])
    assert.deepEqual(await listed('guest', { business_id }), [])
    assert.deepEqual(await listed('guest', { goal_id }), [])
    assert.deepEqual(await listed('guest', { status: 'blocked' }), ['mine blocked'])
  })

  it('answers 404 for a Room that is hidden or does not exist', async () => {
    await refused(world.by('viewer').listTasks({ room_id }), 'not_found')
    await refused(world.by('viewer').listTasks({ room_id: newId('rom') }), 'not_found')
    await refused(world.by('rival').listTasks({}), 'forbidden')
  })

  it('refuses what is no filter', async () => {
    for (const filter of [
      { assignee: 'you' },
      { status: 'finished' },
      { overdue: 'yes' },
      { due_before: 'tomorrow' },
      { cursor: 'x' },
      { limit: 101 },
    ])
      await refused(world.by('member').listTasks(filter as never), 'validation_error')
  })

  it('shows those of a person who takes part in thousands of Rooms page by page', async () => {
    const { service, workspace_id, people } = world
    const { user_id } = people.admin
    await service.sql(
      `with made as (
         insert into rooms (workspace_id, id, title, general_access, created_by, created_at, updated_at)
         select $1, 'rom_0' || lpad(i::text, 25, '0'), 'Room ' || i, 'invited_only', $2, now(), now()
         from generate_series(1, 3100) i returning id
       ), seats as (
         insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
         select $1, id, gen_random_uuid(), $2, false, 'view', 'active', now(), now() from made
       )
       insert into tasks (workspace_id, id, room_id, title, kind, created_by, created_at, updated_at)
       select $1, 'tsk_0' || right(id, 25), id, 'Task', 'task', $2, now(), now() from made where right(id, 2) = '00'`,
      [workspace_id, user_id],
    )
    const found: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { data, page } = await world.by('admin').listTasks({ limit: 7, ...(cursor && { cursor }) })
      found.push(...data.map(({ task_id }) => task_id))
      cursor = page.cursor
    }
    assert.equal(found.length, 31 + 5)
    assert.equal(new Set(found).size, found.length)
  })
})
