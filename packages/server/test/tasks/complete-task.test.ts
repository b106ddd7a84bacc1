import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addFile, setProcessing } from '../files/file-fixture.ts'
import { refused } from '../harness/refused.ts'
import { makeTaskWorld, type Task, type TaskWorld } from './task-fixture.ts'

let world: TaskWorld
before(async () => void (world = await makeTaskWorld()))
after(() => world.close())

const complete = (
  by: Parameters<TaskWorld['by']>[0],
  { task_id, revision }: Pick<Task, 'task_id' | 'revision'>,
  evidence_file_ids?: string[],
  rest: { note?: string; options?: { idempotency_key: string } } = {},
) =>
  world.by(by).completeTask(
    {
      task_id,
      expected_revision: revision,
      ...(evidence_file_ids && { evidence_file_ids }),
      ...(rest.note !== undefined && { note: rest.note }),
    },
    rest.options,
  )

describe('POST /v1/tasks/{task_id}/complete', () => {
  it('completes a Task with Files that prove it', async () => {
    const room_id = await world.room()
    const task = await world.task({ room_id, kind: 'evidence_request' })
    const files = [await world.fileIn(room_id, 'Lease.md'), await world.fileIn(room_id, 'Annex.md')]
    const { data, receipt } = await complete('member', task, files, { note: 'Both are there.' })
    assert.deepEqual(
      [data.status, data.terminal_reason, data.revision, data.canceled_at],
      ['done', 'Both are there.', 2, null],
    )
    assert.equal(data.completed_at, data.updated_at)
    assert.deepEqual(
      data.evidence.map(({ file_id, added_by }) => [file_id, added_by]),
      files.toSorted().map(file_id => [file_id, world.id('member')]),
    )
    assert.deepEqual(new Set(data.evidence.map(({ name }) => name)), new Set(['Annex.md', 'Lease.md']))
    assert.deepEqual(receipt.changed, ['status', 'completed_at', 'terminal_reason', 'evidence'])
    assert.deepEqual(await world.seen('member', task), data)
    const [, event] = await world.eventsOfTask(task.task_id)
    assert.deepEqual([event?.type, event?.data], ['task.completed', { evidence_file_ids: files }])
  })

  it('completes a Task that requires no evidence without any', async () => {
    const { data, receipt } = await complete('member', await world.task())
    assert.deepEqual([data.status, data.terminal_reason, data.evidence], ['done', null, []])
    assert.deepEqual(receipt.changed, ['status', 'completed_at'])
  })

  it('refuses with evidence_required while no File counts', async () => {
    const room_id = await world.room()
    const task = await world.task({ room_id, requires_evidence: true })
    for (const ids of [undefined, []]) {
      const { missing_evidence, status } = await refused(complete('member', task, ids), 'evidence_required')
      assert.equal(status, 422)
      const [missing] = missing_evidence
      assert.equal(missing_evidence.length, 1)
      assert.deepEqual(
        [missing?.code, missing?.pointer, missing?.accepted],
        ['required', '/evidence_file_ids', ['file']],
      )
      assert.match(String(missing?.detail), /Room/)
    }
    assert.equal((await world.seen('member', task)).revision, 1)
  })

  it('counts evidence that was added earlier as long as its File is active and in the Room', async () => {
    const { task, files } = await reopened(2)
    await archiveRoomFile(String(files[0]))
    assert.equal((await complete('member', task)).data.status, 'done')
    const { task: other, files: gone } = await reopened(2)
    for (const file_id of gone) await archiveRoomFile(file_id)
    await refused(complete('member', other), 'evidence_required')
    const { task: third, files: archived } = await reopened(1)
    await world.service.sql(
      `update files set lifecycle = 'archived', archived_at = now() where id = $1`,
      archived,
    )
    await refused(complete('member', third), 'evidence_required')
    const data = await world.seen('member', third)
    assert.deepEqual(
      data.evidence.map(({ file_id }) => file_id),
      archived,
      'it stays on record',
    )
  })

  it('adds a File once, by whom and when it was added first', async () => {
    const { task, files } = await reopened(1)
    const before = (await world.seen('member', task)).evidence
    const more = await world.fileIn(String(task.room_id))
    const { data } = await complete('member', task, [...files, more])
    assert.deepEqual(data.evidence.slice(0, 1), before)
    assert.deepEqual(
      data.evidence.map(({ file_id }) => file_id),
      [...files, more],
    )
    assert.deepEqual(await world.seen('member', task), data)
  })

  it('refuses Files that the Task cannot take, each at its place', async () => {
    const room_id = await world.room()
    const { service, workspace_id, people } = world
    const task = await world.task({ room_id, requires_evidence: true })
    const good = await world.fileIn(room_id)
    const elsewhere = await world.fileIn(await world.room())
    const left = await world.fileIn(room_id)
    await archiveRoomFile(left)
    const archived = await world.fileIn(room_id)
    await service.sql(`update files set lifecycle = 'archived', archived_at = now() where id = $1`, [
      archived,
    ])
    const processing = await world.fileIn(room_id)
    await setProcessing(service, processing, 'processing')
    const hidden = await addFile(service, workspace_id, people.owner)
    const given = [good, elsewhere, left, archived, processing, hidden, newId('fil')]
    const { errors, detail } = await refused(complete('member', task, given), 'validation_error')
    assert.deepEqual(
      errors.map(({ pointer, code }) => `${pointer} ${code}`),
      [1, 2, 3, 4, 5, 6].map(index => `/evidence_file_ids/${index} conflict`),
    )
    assert.equal(new Set(errors.map(one => one.detail)).size, 1, 'hidden and absent answer the same')
    assert.match(detail, /6 Files/)
    assert.deepEqual((await world.seen('member', task)).evidence, [])
    await refused(complete('member', task, [good, good]), 'validation_error')
  })

  it('takes a File that is restricted in the Room only from those who can open it', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'edit')
    const task = await world.task({ room_id, requires_evidence: true, assignee_user_id: world.id('guest') })
    const file_id = await world.fileIn(room_id, 'Secret.md')
    await world.service.sql(`update room_files set access_mode = 'restricted' where file_id = $1`, [file_id])
    await refused(complete('guest', task, [file_id]), 'validation_error')
    const { data } = await complete('member', task, [file_id])
    assert.equal(data.evidence[0]?.name, 'Secret.md')
    const seen = (await world.seen('guest', task)).evidence
    assert.deepEqual(
      seen.map(({ file_id: id, name }) => [id, name]),
      [[file_id, null]],
    )
    const listed = (await world.by('guest').listTasks({ room_id })).data[0]?.evidence
    assert.deepEqual(listed, seen)
  })

  it('a Task without a Room takes any File that the caller can open', async () => {
    const task = await world.task({ requires_evidence: true })
    const { service, workspace_id, people } = world
    const foreign = await addFile(service, workspace_id, people.owner)
    await refused(complete('member', task, [foreign]), 'validation_error')
    const own = await addFile(service, workspace_id, people.member)
    assert.equal((await complete('member', task, [own])).data.status, 'done')
    assert.equal((await world.seen('viewer', task)).evidence[0]?.name, null)
  })

  it('requires files:read to name Files, and shows their names only with it', async () => {
    const room_id = await world.room()
    const task = await world.task({ room_id })
    const file_id = await world.fileIn(room_id)
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, [
      'tasks:read',
      'tasks:write',
    ])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const change = { task_id: task.task_id, expected_revision: 1, evidence_file_ids: [file_id] }
    const { required_permission } = await refused(key.completeTask(change), 'forbidden')
    assert.equal(required_permission, 'files:read')
    await complete('member', task, [file_id])
    assert.equal((await key.getTask({ task_id: task.task_id })).data.evidence[0]?.name, null)
  })

  it('does not show the names of Files in a replay once files:read is lost', async () => {
    const room_id = await world.room()
    const task = await world.task({ room_id })
    const options = { idempotency_key: randomUUID() }
    const ids = [await world.fileIn(room_id)]
    const first = await complete('member', task, ids, { options })
    const again = await complete('member', task, ids, { options })
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    const grant = (permissions: string) =>
      world.service.sql(`update memberships set permissions = $3 where workspace_id = $1 and user_id = $2`, [
        world.workspace_id,
        world.id('member'),
        permissions,
      ])
    await grant('{"files:read": false}')
    const without = await complete('member', task, ids, { options })
    assert.equal(without.data.evidence[0]?.name, null)
    await grant('{}')
  })

  it('a Task has at most 100 Files as evidence', async () => {
    const room_id = await world.room()
    const task = await world.task({ room_id })
    const { service, workspace_id, people } = world
    await service.sql(
      `with made as (
         insert into files (workspace_id, id, name, classification, origin, current_version_id, created_by, created_at, updated_at)
         select $1, 'fil_0' || lpad(i::text, 25, '0'), 'File ' || i, 'other', 'text', 'fvr_0' || lpad(i::text, 25, '0'), $3, now(), now()
         from generate_series(1, 100) i returning id, current_version_id
       ), versions as (
         insert into file_versions (workspace_id, id, file_id, number, content_type, size_bytes, sha256, processing_status, is_text, created_by, created_at, ready_at)
         select $1, current_version_id, id, 1, 'text/plain', 5, repeat('ab', 32), 'ready', true, $3, now(), now() from made
       )
       insert into task_evidence (workspace_id, task_id, file_id, added_by, added_at) select $1, $2, id, $3, now() from made`,
      [workspace_id, task.task_id, people.owner.user_id],
    )
    const file_id = await world.fileIn(room_id)
    await refused(complete('member', task, [file_id]), 'limit_reached')
    assert.equal((await complete('member', task)).data.evidence.length, 100)
  })

  /** A Task in a Room that was completed with Files and reopened. */
  async function reopened(count: number): Promise<{ task: Task; files: string[] }> {
    const room_id = await world.room()
    const files: string[] = []
    for (let i = 0; i < count; i++) files.push(await world.fileIn(room_id))
    files.sort()
    const { task_id } = (
      await complete('member', await world.task({ room_id, requires_evidence: true }), files)
    ).data
    const { data } = await world.by('member').reopenTask({ task_id, expected_revision: 2 })
    return { task: data, files }
  }

  const archiveRoomFile = (file_id: string) =>
    world.service.sql(`update room_files set status = 'archived', archived_at = now() where file_id = $1`, [
      file_id,
    ])
})
