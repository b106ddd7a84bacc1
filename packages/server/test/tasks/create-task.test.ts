import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { addGoal } from './fresh-task.ts'
import { makeTaskWorld, type TaskWorld } from './task-fixture.ts'

let world: TaskWorld
before(async () => void (world = await makeTaskWorld()))
after(() => world.close())

const pointersOf = (problem: { errors: { pointer: string; code: string }[] }) =>
  problem.errors.map(({ pointer, code }) => `${pointer} ${code}`)

describe('POST /v1/tasks', () => {
  it('creates a Task in a Room, with an event about the assignee and a mail to them', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const business_id = await addBusiness(world.service, { name: 'Glacier' })
    const { data, receipt } = await world.by('member').createTask({
      title: '  Send the lease ',
      description: 'With all\namendments',
      section: 'Property',
      room_id,
      business_id,
      assignee_user_id: world.id('guest'),
      due_at: '2027-01-31T17:00:00.5+01:00',
      priority: 'high',
    })
    const { task_id, created_at, updated_at, ...rest } = data
    assert.deepEqual(rest, {
      room_id,
      business_id,
      goal_id: null,
      title: 'Send the lease',
      description: 'With all\namendments',
      section: 'Property',
      kind: 'task',
      status: 'open',
      priority: 'high',
      assignee_user_id: world.id('guest'),
      requires_evidence: false,
      evidence: [],
      due_at: '2027-01-31T16:00:00.500Z',
      terminal_reason: null,
      completed_at: null,
      canceled_at: null,
      created_by: { type: 'user', id: world.id('member') },
      revision: 1,
    })
    assert.equal(created_at, updated_at)
    assert.deepEqual([receipt.operation, receipt.resource], ['create_task', { type: 'task', id: task_id }])
    assert.deepEqual((await world.by('guest').getTask({ task_id })).data, data)
    assert.deepEqual(await world.eventsOfTask(task_id), [
      {
        type: 'task.created',
        feed: 'activity',
        room_id,
        about: { user_id: world.id('guest'), email: null, name: 'guest' },
        data: { kind: 'task' },
      },
    ])
    assert.deepEqual(await world.mailJobs(task_id), [world.id('guest')])
  })

  it('creates a Task without a Room, which members see and guests do not', async () => {
    const { task_id } = await world.task({ assignee_user_id: world.id('member') })
    assert.equal((await world.by('viewer').getTask({ task_id })).data.task_id, task_id)
    await world.invite(await world.room(), world.people.guest, 'full_access')
    await refused(world.by('guest').getTask({ task_id }), 'not_found')
    const [event] = await world.eventsOfTask(task_id)
    assert.deepEqual([event?.feed, event?.room_id], ['audit', null])
    assert.deepEqual(await world.mailJobs(task_id), [], 'who assigns a Task to themselves gets no mail')
    const { detail } = await refused(world.by('guest').createTask({ title: 'Mine' }), 'forbidden')
    assert.match(detail, /room_id/)
  })

  it('requires edit access to the Room; a question requires view access only', async () => {
    const room_id = await world.room()
    const create = (kind: 'task' | 'question' | 'evidence_request') =>
      world.by('guest').createTask({ title: 'Who owns the land?', room_id, kind })
    await refused(create('question'), 'not_found')
    const id = await world.invite(room_id, world.people.guest, 'view')
    await refused(create('task'), 'forbidden')
    await refused(create('evidence_request'), 'forbidden')
    const { data } = await create('question')
    assert.deepEqual([data.kind, data.requires_evidence], ['question', false])
    await world.service.sql(`update room_participants set access_level = 'edit' where id = $1`, [id])
    assert.equal((await create('evidence_request')).data.requires_evidence, true)
  })

  it('refuses a role that may not write Tasks, and a key without the scope', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.viewer, 'full_access')
    const { required_permission } = await refused(
      world.by('viewer').createTask({ title: 'Mine', room_id }),
      'forbidden',
    )
    assert.equal(required_permission, 'tasks:write')
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, ['tasks:read'])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    await refused(key.createTask({ title: 'Mine', room_id }), 'forbidden')
  })

  it('an API key creates Tasks as its owner', async () => {
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, [
      'tasks:read',
      'tasks:write',
    ])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const { data } = await key.createTask({ title: 'By a program', assignee_user_id: world.id('member') })
    assert.equal(data.created_by.id, world.id('member'))
    assert.deepEqual(await world.mailJobs(data.task_id), [])
    const mine = await key.listTasks({ assignee: 'me', limit: 100 })
    assert.ok(mine.data.some(({ task_id }) => task_id === data.task_id))
  })

  it('refuses an assignee who cannot open the Room, or whom the creator cannot see there', async () => {
    const room_id = await world.maskedRoom('edit')
    for (const [by, assignee_user_id] of [
      ['member', world.id('owner')],
      ['member', randomUUID()],
      ['guest', world.id('rival')],
    ] as const) {
      const problem = await refused(
        world.by(by).createTask({ title: 'Yours', room_id, assignee_user_id }),
        'validation_error',
      )
      assert.deepEqual(pointersOf(problem), ['/assignee_user_id conflict'])
    }
    const { data } = await world.by('guest').createTask({
      title: 'Mine',
      room_id,
      assignee_user_id: world.id('guest'),
    })
    assert.equal(data.assignee_user_id, world.id('guest'))
  })

  it('refuses an assignee outside any Room who is no member, or may not read Tasks', async () => {
    const create = (assignee_user_id: string) =>
      refused(world.by('member').createTask({ title: 'Yours', assignee_user_id }), 'validation_error')
    assert.deepEqual(pointersOf(await create(world.id('guest'))), ['/assignee_user_id conflict'])
    await world.service.sql(
      `update memberships set permissions = '{"tasks:read": false}' where workspace_id = $1 and user_id = $2`,
      [world.workspace_id, world.id('viewer')],
    )
    assert.deepEqual(pointersOf(await create(world.id('viewer'))), ['/assignee_user_id conflict'])
    const room_id = await world.room()
    await world.invite(room_id, world.people.viewer, 'view')
    const inRoom = { title: 'Yours', room_id, assignee_user_id: world.id('viewer') }
    await refused(world.by('member').createTask(inRoom), 'validation_error')
    await world.service.sql(
      `update memberships set permissions = '{}' where workspace_id = $1 and user_id = $2`,
      [world.workspace_id, world.id('viewer')],
    )
  })

  it('answers for a hidden Room, Business and Goal as for one that does not exist', async () => {
    const hidden = await world.by('owner').createRoom({ title: 'Without the member' })
    const draft = await addBusiness(world.service, { name: 'Draft', publication_status: 'draft' })
    const goal_id = await addGoal(
      world.service,
      { ...world, room_id: hidden.room.room_id },
      world.people.owner,
    )
    for (const [name, id, prefix] of [
      ['room_id', hidden.room.room_id, 'rom'],
      ['business_id', draft, 'biz'],
      ['goal_id', goal_id, 'gol'],
    ] as const) {
      const problems = []
      for (const one of [id, newId(prefix)]) {
        const { request_id: _, ...problem } = await refused(
          world.by('member').createTask({ title: 'Mine', [name]: one }),
          'not_found',
        )
        problems.push(problem)
      }
      assert.deepEqual(problems[0], problems[1], name)
    }
  })

  it('puts a Task into the Room of its Goal', async () => {
    const [room_id, other] = [await world.room(), await world.room()]
    const goal_id = await addGoal(world.service, { ...world, room_id }, world.people.member)
    for (const room of [undefined, null, room_id])
      assert.equal(
        (await world.task({ goal_id, ...(room !== undefined && { room_id: room }) })).room_id,
        room_id,
      )
    const problem = await refused(
      world.by('member').createTask({ title: 'Send the lease', goal_id, room_id: other }),
      'validation_error',
    )
    assert.deepEqual(pointersOf(problem), ['/room_id conflict'])
    await world.invite(room_id, world.people.guest, 'view')
    await refused(world.by('guest').createTask({ title: 'Mine', goal_id }), 'forbidden')
    const ofAll = await addGoal(world.service, world, world.people.member)
    assert.equal((await world.task({ goal_id: ofAll })).room_id, null)
    assert.equal((await world.task({ goal_id: ofAll, room_id: other })).room_id, other)
  })

  it('a key that may not read Goals cannot name one', async () => {
    const goal_id = await addGoal(world.service, world, world.people.member)
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, ['tasks:write'])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    await refused(key.createTask({ title: 'Mine', goal_id }), 'not_found')
  })

  it('a request for evidence requires it', async () => {
    const room_id = await world.room()
    const request = { title: 'The returns', room_id, kind: 'evidence_request' } as const
    assert.equal((await world.task(request)).requires_evidence, true)
    const problem = await refused(
      world.by('member').createTask({ ...request, requires_evidence: false }),
      'validation_error',
    )
    assert.deepEqual(pointersOf(problem), ['/requires_evidence conflict'])
    const nowhere = { ...request, requires_evidence: false, room_id: newId('rom') }
    await refused(world.by('member').createTask(nowhere), 'validation_error')
  })

  it('refuses an archived Room, and a sub-room of one', async () => {
    const room_id = await world.room()
    const { room } = await world.by('member').createRoom({ title: 'Lawyers', parent_room_id: room_id })
    await world.by('member').archiveRoom({ room_id, expected_revision: 1 })
    for (const id of [room_id, room.room_id]) {
      const { current_status } = await refused(
        world.by('member').createTask({ title: 'Late', room_id: id }),
        'state_conflict',
      )
      assert.equal(current_status, 'archived')
    }
  })

  it('keeps hostile text as it was sent', async () => {
    for (const text of [
      `'; drop table tasks; --`,
      '<script>alert(1)</script>',
      '\u202egnp.exe',
      '%s%n 😀 \\u0000',
    ]) {
      const { task_id } = await world.task({ title: text, description: text, section: text })
      const { data } = await world.by('member').getTask({ task_id })
      assert.deepEqual([data.title, data.description, data.section], [text, text, text])
    }
    for (const title of ['', '  ', 'two\nlines', 'x'.repeat(201), 'nul\u0000'])
      await refused(world.by('member').createTask({ title }), 'validation_error')
  })

  it('replays its answer, but not to somebody who has lost the Room', async () => {
    const room_id = await world.room()
    const id = await world.invite(room_id, world.people.guest, 'edit')
    const options = { idempotency_key: randomUUID() }
    const input = { title: 'Mine', room_id }
    const first = await world.by('guest').createTask(input, options)
    const again = await world.by('guest').createTask(input, options)
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    assert.equal((await world.eventsOfTask(first.data.task_id)).length, 1)
    await refused(
      world.by('guest').createTask({ ...input, title: 'Other' }, options),
      'idempotency_key_reused',
    )
    await world.invite(await world.room(), world.people.guest, 'view')
    await world.service.sql(`update room_participants set status = 'revoked' where id = $1`, [id])
    await refused(world.by('guest').createTask(input, options), 'not_found')
  })
})
