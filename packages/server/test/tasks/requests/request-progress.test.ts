import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import type { Person } from '../../harness/service.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'

describe('the progress of a Room', () => {
  let world: RoomWorld
  before(async () => {
    world = await makeRoomWorld()
  })
  after(() => world.close())

  const member = () => world.as(world.people.member)
  const progressFor = async (person: Person, room_id: string) =>
    (await world.as(person).getRequestProgress({ room_id })).data

  it('counts its Tasks by status, kind, section and assignee, and those that are overdue', async () => {
    const room_id = await world.room()
    const { guest, member: creator } = world.people
    await world.invite(room_id, guest, 'view')
    const create = async (input: object) =>
      (await member().createTask({ room_id, title: 'A Task', ...input })).data
    const late = { due_at: '2026-01-01T00:00:00Z' }
    const mine = { assignee_user_id: creator.user_id }
    const theirs = { assignee_user_id: guest.user_id }
    const done = await create({ section: 'Legal', ...late, ...theirs })
    await member().completeTask({ task_id: done.task_id, expected_revision: 1, note: 'Done.' })
    const canceled = await create({ section: 'Legal', ...theirs })
    await member().cancelTask({ task_id: canceled.task_id, expected_revision: 1, note: 'Not needed.' })
    await create({ section: 'Books', kind: 'question', ...late, ...theirs })
    const begun = await create({ section: 'Legal', kind: 'evidence_request', ...mine })
    await member().updateTask({ task_id: begun.task_id, expected_revision: 1, status: 'in_progress' })
    await create({})
    const before = Date.now()
    const { as_of, ...progress } = await progressFor(creator, room_id)
    assert.deepEqual(progress, {
      total: 5,
      overdue: 1,
      by_status: { open: 2, in_progress: 1, blocked: 0, done: 1, canceled: 1 },
      by_kind: { task: 3, question: 1, evidence_request: 1 },
      by_section: [
        { section: 'Legal', total: 3, finished: 2 },
        { section: 'Books', total: 1, finished: 0 },
        { section: null, total: 1, finished: 0 },
      ],
      by_assignee: [
        { assignee_user_id: guest.user_id, name: 'guest', total: 3, finished: 2 },
        { assignee_user_id: creator.user_id, name: 'member', total: 1, finished: 0 },
        { assignee_user_id: null, name: null, total: 1, finished: 0 },
      ],
    })
    assert.ok(Math.abs(Date.parse(as_of) - before) < 60_000)
    const { as_of: _, ...seenByGuest } = await progressFor(guest, room_id)
    assert.deepEqual(seenByGuest, progress)
  })

  it('is of this Room alone, and of a Room without Tasks too', async () => {
    const [room_id, other] = [await world.room(), await world.room()]
    await member().createRoomRequests({ room_id: other, template: 'sba_7a_loan' })
    const { total, overdue, by_section, by_assignee } = await progressFor(world.people.member, room_id)
    assert.deepEqual([total, overdue, by_section, by_assignee], [0, 0, [], []])
  })

  it('names at most 200 sections, of which the last is that without a section, and 200 assignees', async () => {
    const room_id = await world.room()
    const { workspace_id, people } = world
    await world.service.sql(
      `with person as (
         insert into users (id, issuer, subject, name)
         select gen_random_uuid(), 'https://progress.example', 'p' || n, 'P' || n from generate_series(1, 250) n returning id
       ), numbered as (select id, row_number() over () as n from person)
       insert into tasks (workspace_id, id, room_id, title, section, kind, assignee_user_id, created_by, created_at, updated_at)
       select $1, 'tsk_' || lpad(n::text, 26, '0'), $2, 'T', case when n > 1 then 'Section ' || n end, 'task', id, $3, now(), now()
       from numbered`,
      [workspace_id, room_id, people.member.user_id],
    )
    const { total, by_section, by_assignee } = await progressFor(people.member, room_id)
    assert.deepEqual([total, by_section.length, by_assignee.length], [250, 200, 200])
    assert.equal(by_section[0]?.section, 'Section 2')
    assert.equal(by_section.at(-1)?.section, null)
  })

  it('counts nothing of other guests, and does not name them, for a guest of a Room that masks guests', async () => {
    const room_id = await world.room()
    const { guest, rival, member: host } = world.people
    await world.invite(room_id, guest, 'edit')
    await world.invite(room_id, rival, 'edit')
    const by = (person: Person, title: string, assignee: Person | null) =>
      world
        .as(person)
        .createTask({ room_id, title, assignee_user_id: assignee?.user_id ?? null, section: title })
    await by(host, 'For the guest', guest)
    await by(host, 'For the rival', rival)
    await by(host, 'For nobody', null)
    await by(rival, 'By the rival', null)
    await by(rival, 'By the rival for the host', host)
    await by(guest, 'By the guest for the host', host)
    const everybody = await progressFor(guest, room_id)
    assert.equal(everybody.total, 6)
    const { room } = await member().getRoom({ room_id })
    await member().updateRoom({
      room_id,
      expected_revision: room.revision,
      participant_visibility: 'managers',
    })
    const { total, by_status, by_section, by_assignee } = await progressFor(guest, room_id)
    assert.deepEqual(
      by_section.map(({ section }) => section),
      ['For the guest', 'For nobody', 'By the guest for the host'],
    )
    assert.deepEqual([total, by_status['open']], [3, 3])
    assert.ok(by_assignee.every(({ assignee_user_id }) => assignee_user_id !== rival.user_id))
    assert.equal((await progressFor(rival, room_id)).total, 4)
    assert.equal((await progressFor(host, room_id)).total, 6)
  })

  it('answers alike for a Room that is hidden and one that does not exist', async () => {
    const room_id = await world.room()
    const { admin, guest } = world.people
    const hidden = await refused(world.as(admin).getRequestProgress({ room_id }), 'not_found')
    const absent = await refused(
      world.as(admin).getRequestProgress({ room_id: 'rom_00000000000000000000000000' }),
      'not_found',
    )
    assert.equal(hidden.detail, absent.detail)
    await world.invite(room_id, guest, 'view')
    assert.equal((await progressFor(guest, room_id)).total, 0)
    await world.service.sql(
      `update room_participants set status = 'revoked' where user_id = $1 and room_id = $2`,
      [guest.user_id, room_id],
    )
    await world.invite(await world.room(), guest, 'view')
    await refused(world.as(guest).getRequestProgress({ room_id }), 'not_found')
  })

  it('is found in an archived Room', async () => {
    const room_id = await world.room()
    await member().createRoomRequests({ room_id, template: 'sba_7a_loan' })
    await member().archiveRoom({ room_id, expected_revision: 1 })
    assert.equal((await progressFor(world.people.member, room_id)).total, 60)
  })

  it('of 10,000 Tasks takes well under a second, also for a guest of a Room that masks guests', async () => {
    const room_id = await world.room()
    const { workspace_id, people } = world
    await world.invite(room_id, people.guest, 'edit')
    await world.invite(room_id, people.rival, 'edit')
    await member().updateRoom({ room_id, expected_revision: 1, participant_visibility: 'managers' })
    await world.service.sql(
      `insert into tasks (workspace_id, id, room_id, title, section, kind, assignee_user_id, created_by, created_at, updated_at)
       select $1, 'tsk_' || lpad((1000000 + n)::text, 26, '0'), $2, 'T', 'Section ' || n % 50, 'task',
         ($3::uuid[])[n % 3 + 1], $4, now(), now()
       from generate_series(1, 10000) n`,
      [
        workspace_id,
        room_id,
        [people.guest.user_id, people.rival.user_id, people.member.user_id],
        people.member.user_id,
      ],
    )
    await world.service.sql('analyze tasks')
    for (const [person, total] of [
      [people.member, 10_000],
      [people.guest, 6666],
    ] as const) {
      await progressFor(person, room_id)
      const start = performance.now()
      assert.equal((await progressFor(person, room_id)).total, total)
      const ms = performance.now() - start
      assert.ok(ms < 1000, `${ms} ms`)
    }
  })
})
