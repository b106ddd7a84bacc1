import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { requestTemplates } from '@wbs/contract/tasks/requests'
import { requestsOf, templates } from '../../../src/tasks/requests/templates/request-templates.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'

describe('create_room_requests', () => {
  let world: RoomWorld
  before(async () => {
    world = await makeRoomWorld()
  })
  after(() => world.close())

  const member = () => world.as(world.people.member)

  /** A CSV File of the member in a Room. */
  async function listIn(room_id: string, content: string, format: 'csv' | 'plain_text' = 'csv') {
    const { file, room_file } = await member().createTextFile({
      name: `${randomUUID()}.csv`,
      format,
      content,
      room_id,
    })
    return { room_id, file_id: file.file_id, room_file_id: String(room_file?.room_file_id) }
  }

  const tasksOf = (room_id: string) =>
    world.service.sql(
      `select id, title, section, kind, priority, requires_evidence, due_at, assignee_user_id, created_by from tasks
       where room_id = $1 order by id`,
      [room_id],
    )

  const jobsOf = (room_id: string) =>
    world.service.sql<{ data: { user_id: string; count: number } }>(
      `select data from svc_jobs.job where name = 'mail_requests_assigned' and data ->> 'room_id' = $1
       order by (data ->> 'count')::integer`,
      [room_id],
    )

  for (const template of requestTemplates)
    it(`creates the Tasks of ${template} in their order`, async () => {
      const room_id = await world.room()
      const { data, receipt } = await member().createRoomRequests({ room_id, template })
      const requests = requestsOf(templates[template])
      assert.equal(data.created, requests.length)
      const rows = await tasksOf(room_id)
      assert.deepEqual(
        rows.map(({ title, section, kind }) => ({ title, section, kind })),
        requests.map(({ title, section, kind }) => ({ title, section, kind })),
      )
      assert.deepEqual(
        data.task_ids,
        rows.map(row => row['id']),
      )
      for (const row of rows) assert.equal(row['requires_evidence'], row['kind'] === 'evidence_request')
      const counted = Object.values(data.by_kind).reduce((sum, count) => sum + count, 0)
      assert.equal(counted, data.created)
      assert.deepEqual([receipt.action, receipt.resource.id], ['create_room_requests', room_id])
      assert.deepEqual(await jobsOf(room_id), [])
    })

  it('creates a Task for each row of a CSV File, with an event for each and a mail for each assignee', async () => {
    const room_id = await world.room()
    const { guest, viewer, owner } = world.people
    await world.invite(room_id, guest, 'view')
    await world.invite(room_id, viewer, 'view')
    await world.invite(room_id, owner, 'edit')
    const { file_id } = await listIn(
      room_id,
      [
        'Request,section,kind,priority,due_at,assignee_email',
        `Leases,Premises,,high,2027-01-31,${guest.email.toUpperCase()}`,
        `Why now?,,question,,,${viewer.email}`,
        'Deeds,,,,,',
        `Plans,,task,,2027-03-01T00:00:00Z,${viewer.email}`,
      ].join('\n'),
    )
    const { data } = await member().createRoomRequests({
      room_id,
      file_id,
      mapping: { title: 'Request' },
      assignee_user_id: owner.user_id,
      due_at: '2027-02-01T10:00:00+02:00',
    })
    assert.deepEqual(data.by_kind, { task: 1, question: 1, evidence_request: 2 })
    const rows = await tasksOf(room_id)
    assert.deepEqual(
      rows.map(({ title, assignee_user_id, priority, due_at }) => [
        title,
        assignee_user_id,
        priority,
        new Date(due_at).toISOString(),
      ]),
      [
        ['Leases', guest.user_id, 'high', '2027-01-31T23:59:59.000Z'],
        ['Why now?', viewer.user_id, 'none', '2027-02-01T08:00:00.000Z'],
        ['Deeds', owner.user_id, 'none', '2027-02-01T08:00:00.000Z'],
        ['Plans', viewer.user_id, 'none', '2027-03-01T00:00:00.000Z'],
      ],
    )
    const events = await world.service.sql(
      `select subject, about from events where room_id = $1 and type = 'task.created' order by position`,
      [room_id],
    )
    assert.deepEqual(
      events.map(({ subject, about }) => [subject.id, about.user_id]),
      rows.map(({ id, assignee_user_id }) => [id, assignee_user_id]),
    )
    const jobs = (await jobsOf(room_id)).map(({ data: { user_id, count } }) => [user_id, count])
    assert.deepEqual(jobs.at(-1), [viewer.user_id, 2])
    assert.deepEqual(
      new Set(jobs.map(String)),
      new Set([`${guest.user_id},1`, `${owner.user_id},1`, `${viewer.user_id},2`]),
    )
    const task = await world.as(guest).getTask({ task_id: data.task_ids[0] ?? assert.fail() })
    assert.equal(task.data.status, 'open')
  })

  it('mails nobody about what they assigned to themselves', async () => {
    const room_id = await world.room()
    const { user_id } = world.people.member
    await member().createRoomRequests({ room_id, template: 'sba_7a_loan', assignee_user_id: user_id })
    assert.deepEqual(await jobsOf(room_id), [])
    const events = await member().listEvents({ about: 'me', types: ['task.created'], limit: 5 })
    assert.equal(events.data.length, 5)
  })

  it('creates 500 Tasks at once, and in well under a second', async () => {
    const room_id = await world.room()
    const rows = Array.from({ length: 500 }, (_, row) => `Request ${row},Section ${row % 20}`)
    const { file_id } = await listIn(room_id, ['title,section', ...rows].join('\n'))
    const start = performance.now()
    const { data } = await member().createRoomRequests({ room_id, file_id })
    const ms = performance.now() - start
    assert.equal(data.created, 500)
    assert.ok(ms < 2000, `${ms} ms`)
    assert.deepEqual(
      (await tasksOf(room_id)).map(({ title }) => title),
      rows.map(row => row.split(',')[0]),
    )
  })

  it('repeats its answer for the same key, and creates nothing again', async () => {
    const room_id = await world.room()
    const { file_id } = await listIn(room_id, 'title\nLeases')
    const idempotency_key = randomUUID()
    const ask = () => member().createRoomRequests({ room_id, file_id }, { idempotency_key })
    const first = await ask()
    await member().archiveRoom({ room_id, expected_revision: 1 })
    const again = await ask()
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    assert.equal((await tasksOf(room_id)).length, 1)
  })

  it('creates nothing if one row is wrong, and names each error where a spreadsheet shows it', async () => {
    const room_id = await world.room()
    const { file_id } = await listIn(
      room_id,
      'title,kind,due_at\nGood,task,\n,task,soon\nLeases,other,2027-01-31',
    )
    const { errors, detail } = await refused(
      member().createRoomRequests({ room_id, file_id }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(({ in: place, pointer, code }) => [place, pointer, code]),
      [
        ['body', '/file/rows/3/title', 'required'],
        ['body', '/file/rows/3/due_at', 'format'],
        ['body', '/file/rows/4/kind', 'format'],
      ],
    )
    assert.match(detail, /3 errors\. No Task was created/)
    assert.deepEqual(await tasksOf(room_id), [])
    assert.deepEqual(
      (await world.eventsOf(room_id)).filter(type => type.startsWith('task.')),
      [],
    )
  })

  it('names at most 100 errors', async () => {
    const room_id = await world.room()
    const { file_id } = await listIn(room_id, `title,kind\n${'Leases,other\n'.repeat(400)}`)
    const { errors, detail } = await refused(
      member().createRoomRequests({ room_id, file_id }),
      'validation_error',
    )
    assert.equal(errors.length, 100)
    assert.match(detail, /400 errors/)
  })

  it('answers alike for an address nobody has, and for one of somebody who cannot open the Room', async () => {
    const room_id = await world.room()
    const { admin, guest, rival } = world.people
    const elsewhere = await world.room()
    await world.invite(elsewhere, guest, 'edit')
    const errorsFor = async (email: string) => {
      const { file_id } = await listIn(room_id, `title,assignee_email\nLeases,${email}`)
      const { errors } = await refused(member().createRoomRequests({ room_id, file_id }), 'validation_error')
      return errors
    }
    const nobody = await errorsFor('nobody@example.com')
    assert.equal(nobody[0]?.pointer, '/file/rows/2/assignee_email')
    for (const person of [admin, guest, rival]) assert.deepEqual(await errorsFor(person.email), nobody)
  })

  it('takes no assignee without the permission to read Tasks, and none whose address two users have', async () => {
    const room_id = await world.room()
    const { viewer, guest, rival } = world.people
    await world.invite(room_id, viewer, 'view')
    await world.service.sql(
      `update memberships set permissions = '{"tasks:read": false}' where workspace_id = $1 and user_id = $2`,
      [world.workspace_id, viewer.user_id],
    )
    const { file_id } = await listIn(room_id, `title,assignee_email\nLeases,${viewer.email}`)
    await refused(member().createRoomRequests({ room_id, file_id }), 'validation_error')
    const { errors } = await refused(
      member().createRoomRequests({ room_id, template: 'sba_7a_loan', assignee_user_id: viewer.user_id }),
      'validation_error',
    )
    assert.deepEqual([errors[0]?.pointer, errors[0]?.code], ['/assignee_user_id', 'conflict'])
    await world.service.sql(
      `update memberships set permissions = '{}' where workspace_id = $1 and user_id = $2`,
      [world.workspace_id, viewer.user_id],
    )
    assert.equal((await member().createRoomRequests({ room_id, file_id })).data.created, 1)

    await world.invite(room_id, guest, 'view')
    await world.invite(room_id, rival, 'view')
    await world.service.sql('update users set email = $2 where id = $1', [rival.user_id, guest.email])
    const shared = await listIn(room_id, `title,assignee_email\nLeases,${guest.email}`)
    await refused(member().createRoomRequests({ room_id, file_id: shared.file_id }), 'validation_error')
    await world.service.sql('update users set email = $2 where id = $1', [rival.user_id, rival.email])
    assert.equal((await member().createRoomRequests({ room_id, file_id: shared.file_id })).data.created, 1)
  })

  it('does not let a guest find another guest of a Room that masks guests', async () => {
    const room_id = await world.room()
    const { guest, rival } = world.people
    await world.invite(room_id, guest, 'edit')
    await world.invite(room_id, rival, 'edit')
    const { file_id } = await listIn(room_id, `title,assignee_email\nLeases,${rival.email}`)
    const ask = () => world.as(guest).createRoomRequests({ room_id, file_id })
    assert.equal((await ask()).data.created, 1)
    const { room } = await member().getRoom({ room_id })
    await member().updateRoom({
      room_id,
      expected_revision: room.revision,
      participant_visibility: 'managers',
    })
    const { errors } = await refused(ask(), 'validation_error')
    assert.equal(errors[0]?.pointer, '/file/rows/2/assignee_email')
    await refused(
      world
        .as(guest)
        .createRoomRequests({ room_id, template: 'sba_7a_loan', assignee_user_id: rival.user_id }),
      'validation_error',
    )
    assert.equal((await member().createRoomRequests({ room_id, file_id })).data.created, 1)
  })

  it('takes edit access: 403 with view access, 404 for others, 409 in an archived Room', async () => {
    const room_id = await world.room()
    const { guest, admin } = world.people
    const { file_id } = await listIn(room_id, 'title\nLeases')
    await world.invite(room_id, guest, 'view')
    for (const named of [{ template: 'sba_7a_loan' as const }, { file_id }]) {
      await refused(world.as(guest).createRoomRequests({ room_id, ...named }), 'forbidden')
      await refused(world.as(admin).createRoomRequests({ room_id, ...named }), 'not_found')
    }
    await member().archiveRoom({ room_id, expected_revision: 1 })
    const { current_status } = await refused(
      member().createRoomRequests({ room_id, file_id }),
      'state_conflict',
    )
    assert.equal(current_status, 'archived')
  })

  it('takes a File of the Room that the caller can open there, and answers 404 for others', async () => {
    const [room_id, other] = [await world.room(), await world.room()]
    const { guest } = world.people
    await world.invite(room_id, guest, 'edit')
    const inOther = await listIn(other, 'title\nLeases')
    await refused(member().createRoomRequests({ room_id, file_id: inOther.file_id }), 'not_found')
    const list = await listIn(room_id, 'title\nLeases')
    const { member: owner } = world.people
    await member().setRoomFilePermission({
      room_file_id: list.room_file_id,
      user_id: owner.user_id,
      access_level: 'view',
    })
    await refused(world.as(guest).createRoomRequests({ room_id, file_id: list.file_id }), 'not_found')
    assert.equal((await member().createRoomRequests({ room_id, file_id: list.file_id })).data.created, 1)
    await member().archiveRoomFile({ room_file_id: list.room_file_id, expected_revision: 2 })
    await refused(member().createRoomRequests({ room_id, file_id: list.file_id }), 'not_found')
  })

  it('takes files:read for a File, and tasks:write alone for a template; API keys may create lists', async () => {
    const room_id = await world.room()
    const { file_id } = await listIn(room_id, 'title\nLeases')
    const { service, workspace_id, people } = world
    const keyWith = async (...scopes: ('tasks:write' | 'files:read')[]) =>
      service.client({
        api_key: (await service.apiKey(workspace_id, people.member, scopes)).secret,
        workspace_id,
      })
    const key = await keyWith('tasks:write')
    const { required_permission } = await refused(key.createRoomRequests({ room_id, file_id }), 'forbidden')
    assert.equal(required_permission, 'files:read')
    await key.createRoomRequests({ room_id, template: 'sba_7a_loan' })
    const both = await keyWith('tasks:write', 'files:read')
    assert.equal((await both.createRoomRequests({ room_id, file_id })).data.created, 1)
    await refused((await keyWith('files:read')).createRoomRequests({ room_id, file_id }), 'forbidden')
  })

  it('answers 422 for a File that is no list, and 409 for one that is not ready', async () => {
    const room_id = await world.room()
    const refusedAs422 = async (content: string, format?: 'csv' | 'plain_text') => {
      const { file_id } = await listIn(room_id, content, format)
      return refused(member().createRoomRequests({ room_id, file_id }), 'unprocessable_content')
    }
    await refusedAs422('title\nLeases', 'plain_text')
    await refusedAs422('title\n"Leases')
    await refusedAs422('title\n')
    await refusedAs422(`title\n${'Leases\n'.repeat(501)}`)
    const { file } = await member().createFileUpload({
      name: 'Later.csv',
      content_type: 'text/csv',
      size_bytes: 6,
      room_id,
    })
    const { current_status } = await refused(
      member().createRoomRequests({ room_id, file_id: file.file_id }),
      'state_conflict',
    )
    assert.equal(current_status, 'pending_upload')
    const large = await listIn(room_id, 'title\nLeases')
    await world.service.sql('update file_versions set size_bytes = 1048577 where file_id = $1', [
      large.file_id,
    ])
    const { detail } = await refused(
      member().createRoomRequests({ room_id, file_id: large.file_id }),
      'unprocessable_content',
    )
    assert.match(detail, /1 MiB/)
  })

  it('takes one list: 400 with both, with none, and with a mapping for a template', async () => {
    const room_id = await world.room()
    const { file_id } = await listIn(room_id, 'title\nLeases')
    const template = 'sba_7a_loan'
    for (const named of [{}, { template, file_id }, { template, mapping: { title: 'Request' } }] as const)
      await refused(member().createRoomRequests({ room_id, ...named }), 'validation_error')
  })
})
