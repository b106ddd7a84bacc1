import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../../harness/refused.ts'
import { makeTaskWorld, type PersonName, type Task, type TaskWorld } from '../task-fixture.ts'

let world: TaskWorld
before(async () => void (world = await makeTaskWorld()))
after(() => world.close())

const comment = (by: PersonName, { task_id }: Pick<Task, 'task_id'>, text: string, file_ids?: string[]) =>
  world.by(by).createTaskComment({ task_id, text, ...(file_ids && { file_ids }) })
const textsOf = async (by: PersonName, { task_id }: Pick<Task, 'task_id'>) =>
  (await world.by(by).listTaskComments({ task_id, limit: 100 })).data.map(({ text }) => text)

describe('POST /v1/tasks/{task_id}/comments', () => {
  it('adds a comment with Files; the revision of the Task stays', async () => {
    const room_id = await world.maskedRoom()
    const task = await world.task({ room_id })
    const files = [await world.fileIn(room_id, 'Lease.md'), await world.fileIn(room_id, 'Annex.md')]
    const { data, receipt } = await comment('member', task, '  Which one?\nBoth?  ', files)
    assert.deepEqual(
      [data.task_id, data.text, data.created_by],
      [task.task_id, 'Which one?\nBoth?', { user_id: world.id('member'), name: 'member' }],
    )
    assert.deepEqual(data.files, [
      { file_id: files[0], name: 'Lease.md' },
      { file_id: files[1], name: 'Annex.md' },
    ])
    assert.deepEqual([receipt.operation, receipt.resource.id], ['create_task_comment', task.task_id])
    assert.deepEqual((await world.by('guest').listTaskComments({ task_id: task.task_id })).data, [data])
    assert.deepEqual(await world.seen('member', task), task)
    const event = (await world.eventsOfTask(task.task_id)).at(-1)
    assert.deepEqual([event?.type, event?.data], ['task.commented', { comment_id: data.comment_id }])
  })

  it('is open to everybody who sees the Task and may write Tasks, also when it is finished', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    await world.invite(room_id, world.people.viewer, 'view')
    const task = await world.task({ room_id })
    await refused(comment('rival', task, 'Mine'), 'not_found')
    await refused(comment('owner', task, 'Mine'), 'not_found')
    await refused(comment('viewer', task, 'Mine'), 'forbidden')
    await comment('guest', task, 'First')
    await world.by('member').cancelTask({ task_id: task.task_id, expected_revision: 1 })
    await comment('guest', task, 'Second')
    assert.deepEqual(await textsOf('viewer', task), ['First', 'Second'])
  })

  it('refuses Files that the Task cannot take, and callers who may not read Files', async () => {
    const room_id = await world.room()
    const task = await world.task({ room_id })
    const here = await world.fileIn(room_id)
    const elsewhere = await world.fileIn(await world.room())
    const { errors } = await refused(
      comment('member', task, 'See', [here, elsewhere, newId('fil')]),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(({ pointer, code }) => `${pointer} ${code}`),
      ['/file_ids/1 conflict', '/file_ids/2 conflict'],
    )
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, [
      'tasks:read',
      'tasks:write',
    ])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const { task_id } = task
    const { required_permission } = await refused(
      key.createTaskComment({ task_id, text: 'See', file_ids: [here] }),
      'forbidden',
    )
    assert.equal(required_permission, 'files:read')
    const { data } = await key.createTaskComment({ task_id, text: 'By a program' })
    assert.deepEqual(data.created_by, { user_id: world.id('member'), name: 'member' })
    await comment('member', task, 'See', [here])
    const shown = await key.listTaskComments({ task_id })
    assert.deepEqual(shown.data.at(-1)?.files, [{ file_id: here, name: null }])
  })

  it('names a File only to those who can open it', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const task = await world.task({ room_id })
    const file_id = await world.fileIn(room_id, 'Secret.md')
    await world.service.sql(`update room_files set access_mode = 'restricted' where file_id = $1`, [file_id])
    await comment('member', task, 'See', [file_id])
    const { data } = await world.by('guest').listTaskComments({ task_id: task.task_id })
    assert.deepEqual(data[0]?.files, [{ file_id, name: null }])
    await refused(comment('guest', task, 'See', [file_id]), 'validation_error')
  })

  it('a Task has at most 10,000 comments', async () => {
    const task = await world.task()
    const add = (count: number) =>
      world.service.sql(
        `insert into task_comments (workspace_id, task_id, id, text, created_by, created_at)
         select $1, $2, gen_random_uuid(), 'Text', $3, now() from generate_series(1, $4::integer)`,
        [world.workspace_id, task.task_id, world.id('member'), count],
      )
    await add(9_999)
    await comment('member', task, 'The last one')
    const { status } = await refused(comment('member', task, 'One more'), 'limit_reached')
    assert.equal(status, 409)
  })

  it('replays its answer, but not to somebody who has lost the Room', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const { task_id } = await world.task({ room_id })
    const options = { idempotency_key: randomUUID() }
    const input = { task_id, text: 'Once' }
    const first = await world.by('guest').createTaskComment(input, options)
    const again = await world.by('guest').createTaskComment(input, options)
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    assert.deepEqual(await textsOf('member', { task_id }), ['Once'])
    await world.invite(await world.room(), world.people.guest, 'view')
    await world.service.sql(
      `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2`,
      [room_id, world.id('guest')],
    )
    await refused(world.by('guest').createTaskComment(input, options), 'not_found')
    await refused(world.by('guest').listTaskComments({ task_id }), 'not_found')
  })

  it('keeps hostile text as it was sent', async () => {
    const task = await world.task()
    const texts = [
      `'; drop table task_comments; --`,
      '<img src=x onerror=alert(1)>',
      '\u202etxt.exe\t😀',
      '[x](javascript:1)',
    ]
    for (const text of texts) await comment('member', task, text)
    assert.deepEqual(await textsOf('viewer', task), texts)
    for (const text of ['', ' \n ', 'nul\u0000', 'x'.repeat(10_001)])
      await refused(comment('member', task, text), 'validation_error')
  })
})

describe('GET /v1/tasks/{task_id}/comments', () => {
  it('lists the oldest first, page by page', async () => {
    const task = await world.task()
    const texts = Array.from({ length: 5 }, (_, i) => `Comment ${i}`)
    for (const text of texts) await comment('member', task, text)
    const found: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { data, page } = await world
        .by('viewer')
        .listTaskComments({ task_id: task.task_id, limit: 2, ...(cursor && { cursor }) })
      found.push(...data.map(({ text }) => text))
      assert.equal(page.has_more, page.cursor !== null)
      cursor = page.cursor
    }
    assert.deepEqual(found, texts)
  })

  it('ends a page early where the comments are large', async () => {
    const task = await world.task()
    await world.service.sql(
      `insert into task_comments (workspace_id, task_id, id, text, created_by, created_at)
       select $1, $2, ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, repeat('語', 10000), $3, now()
       from generate_series(1, 60) i`,
      [world.workspace_id, task.task_id, world.id('member')],
    )
    const { task_id } = task
    const first = await world.by('member').listTaskComments({ task_id, limit: 100 })
    assert.ok(first.data.length < 60 && first.page.has_more, `${first.data.length}`)
    const rest = await world
      .by('member')
      .listTaskComments({ task_id, limit: 100, cursor: String(first.page.cursor) })
    assert.equal(first.data.length + rest.data.length, 60)
    assert.equal(rest.page.has_more, false)
  })

  it('hides comments of other guests in a Room that masks them', async () => {
    const room_id = await world.maskedRoom()
    const task = await world.task({ room_id })
    await comment('guest', task, 'By the guest')
    await comment('member', task, 'By the member')
    await comment('rival', task, 'By the rival')
    assert.deepEqual(await textsOf('member', task), ['By the guest', 'By the member', 'By the rival'])
    assert.deepEqual(await textsOf('guest', task), ['By the guest', 'By the member'])
    assert.deepEqual(await textsOf('rival', task), ['By the member', 'By the rival'])
    const page = await world.by('rival').listTaskComments({ task_id: task.task_id, limit: 2 })
    assert.deepEqual(page.page, { cursor: null, has_more: false })
    await world.service.sql(
      `update room_participants set access_level = 'full_access' where room_id = $1 and user_id = $2`,
      [room_id, world.id('guest')],
    )
    assert.equal((await textsOf('guest', task)).length, 3)
    await world.service.sql(`update rooms set participant_visibility = 'everyone' where id = $1`, [room_id])
    assert.equal((await textsOf('rival', task)).length, 3)
  })
})
