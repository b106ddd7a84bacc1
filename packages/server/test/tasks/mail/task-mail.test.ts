import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { JobData } from '../../../src/jobs/job-kinds.ts'
import { mailRequestsAssigned } from '../../../src/tasks/mail/mail-requests-assigned.ts'
import { mailTaskAssigned } from '../../../src/tasks/mail/mail-task-assigned.ts'
import { eventually } from '../../harness/eventually.ts'
import { createMailbox } from '../../harness/invitations.ts'
import type { Person } from '../../harness/service.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'

describe('mail about Tasks', () => {
  let world: RoomWorld
  before(async () => {
    world = await makeRoomWorld()
  })
  after(() => world.close())

  const member = () => world.as(world.people.member)
  const parts = (taskMail = true) => {
    const { sendNotice, messages } = createMailbox()
    return { messages, parts: { readers: world.service.database.readers, sendNotice, taskMail } }
  }

  /** What is mailed if the job of a Task runs now. */
  async function mailedNow(
    { task_id, user_id }: Omit<JobData['mail_task_assigned'], 'workspace_id'>,
    on = true,
  ) {
    const { messages, parts: given } = parts(on)
    const data = { workspace_id: world.workspace_id, task_id, user_id }
    await mailTaskAssigned(given)(data, { id: 'a-job' })
    return messages
  }

  /** What is mailed if the job of a request list runs now. */
  async function listMailedNow(room_id: string, { user_id }: Person, count: number, on = true) {
    const { messages, parts: given } = parts(on)
    const data = { workspace_id: world.workspace_id, room_id, user_id, count }
    await mailRequestsAssigned(given)(data, { id: 'a-job' })
    return messages
  }

  async function taskFor({ user_id }: Person, input: { room_id?: string; title?: string } = {}) {
    const { data } = await member().createTask({
      title: 'Send the leases',
      assignee_user_id: user_id,
      ...input,
    })
    return { ...data, user_id }
  }

  it('reaches the assignee of a new Task, once and with the id of its job', async () => {
    const { admin } = world.people
    await taskFor(admin, { title: 'A Task for Adam' })
    const of = () => world.mailbox.messages.filter(({ subject }) => subject === 'Task: A Task for Adam')
    const [message] = await eventually(async () => (of().length > 0 ? of() : undefined))
    assert.equal(message?.to, admin.email)
    assert.match(message?.text ?? '', /in the Workspace “Harbor Street Partners” is assigned to you/)
    assert.equal(of().length, 1)
  })

  it('reaches the new assignee when a Task is assigned to somebody else', async () => {
    const { admin, viewer } = world.people
    const { task_id } = await taskFor(admin, { title: 'Passed on' })
    await member().updateTask({ task_id, expected_revision: 1, assignee_user_id: viewer.user_id })
    await eventually(
      async () =>
        world.mailbox.messages.some(
          ({ to, subject }) => to === viewer.email && subject === 'Task: Passed on',
        ) || undefined,
    )
  })

  it('reaches each assignee of a request list, one for the whole list', async () => {
    const room_id = await world.room('List for mail')
    const { guest } = world.people
    await world.invite(room_id, guest, 'edit')
    await member().createRoomRequests({
      room_id,
      template: 'small_business_purchase',
      assignee_user_id: guest.user_id,
      due_at: '2027-01-31T17:00:00Z',
    })
    const of = () => world.mailbox.messages.filter(({ subject }) => subject.includes('List for mail'))
    const [message] = await eventually(async () => (of().length > 0 ? of() : undefined))
    assert.deepEqual(
      [message?.to, message?.subject],
      [guest.email, '64 requests in the Room “List for mail”'],
    )
    assert.match(message?.text ?? '', /The first is due by January 31, 2027 at 17:00 UTC\./)
    assert.equal(of().length, 1)
  })

  it('is not sent while the operator has turned it off', async () => {
    const room_id = await world.room()
    const { guest } = world.people
    await world.invite(room_id, guest, 'view')
    const task = await taskFor(guest, { room_id })
    assert.equal((await mailedNow(task)).length, 1)
    assert.equal((await mailedNow(task, false)).length, 0)
    assert.equal((await listMailedNow(room_id, guest, 1)).length, 1)
    assert.equal((await listMailedNow(room_id, guest, 1, false)).length, 0)
  })

  it('is not sent to an address that the issuer has not verified', async () => {
    const { service, people } = world
    const address = { email: 'somebody-else@example.com', email_verified: false }
    const founder = service.person('Zoe', address)
    const workspace_id = await service.workspace('Of Zoe', founder, { member: people.member })
    const client = service.client({ access_token: people.member.token, workspace_id })
    const { data } = await client.createTask({ title: 'Not for you', assignee_user_id: founder.user_id })
    const { messages, parts: given } = parts()
    const job = { workspace_id, task_id: data.task_id, user_id: founder.user_id }
    await mailTaskAssigned(given)(job, { id: 'a-job' })
    assert.deepEqual(messages, [])
  })

  it('is not sent once the Task is finished or assigned to somebody else', async () => {
    const { admin, viewer } = world.people
    const done = await taskFor(admin)
    await member().completeTask({ task_id: done.task_id, expected_revision: 1, note: 'Done.' })
    assert.deepEqual(await mailedNow(done), [])
    const canceled = await taskFor(admin)
    await member().cancelTask({ task_id: canceled.task_id, expected_revision: 1, note: 'Not needed.' })
    assert.deepEqual(await mailedNow(canceled), [])
    const passed = await taskFor(admin)
    await member().updateTask({
      task_id: passed.task_id,
      expected_revision: 1,
      assignee_user_id: viewer.user_id,
    })
    assert.deepEqual(await mailedNow(passed), [])
    assert.equal((await mailedNow({ ...passed, user_id: viewer.user_id })).length, 1)
    assert.deepEqual(await mailedNow({ ...passed, task_id: 'tsk_00000000000000000000000000' }), [])
  })

  it('is not sent to somebody who cannot open the Room any more, and tells nothing of it', async () => {
    const room_id = await world.room()
    const { guest } = world.people
    const participant_id = await world.invite(room_id, guest, 'view')
    const task = await taskFor(guest, { room_id })
    await member().revokeParticipant({ room_id, participant_id })
    assert.deepEqual(await mailedNow(task), [])
    assert.deepEqual(await listMailedNow(room_id, guest, 1), [])
  })

  it('is not sent to a guest about a Task of a rival whom the Room hides from them now', async () => {
    const room_id = await world.room()
    const { guest, rival } = world.people
    await world.invite(room_id, guest, 'edit')
    await world.invite(room_id, rival, 'edit')
    const { data } = await world
      .as(rival)
      .createTask({ room_id, title: 'From the rival', assignee_user_id: guest.user_id })
    const task = { task_id: data.task_id, user_id: guest.user_id }
    assert.equal((await mailedNow(task)).length, 1)
    const { room } = await member().getRoom({ room_id })
    await member().updateRoom({
      room_id,
      expected_revision: room.revision,
      participant_visibility: 'managers',
    })
    assert.deepEqual(await mailedNow(task), [])
    assert.deepEqual(await listMailedNow(room_id, guest, 1), [])
  })

  it('is not sent to a member without the permission to read Tasks, nor to one who left', async () => {
    const { admin } = world.people
    const task = await taskFor(admin)
    const set = (change: string) =>
      world.service.sql(`update memberships set ${change} where workspace_id = $1 and user_id = $2`, [
        world.workspace_id,
        admin.user_id,
      ])
    await set(`permissions = '{"tasks:read": false}'`)
    assert.deepEqual(await mailedNow(task), [])
    await set(`permissions = '{}', status = 'removed'`)
    assert.deepEqual(await mailedNow(task), [])
    await set(`status = 'active'`)
    assert.equal((await mailedNow(task)).length, 1)
  })

  it('is not sent to somebody without an address, nor in a Workspace that was closed', async () => {
    const { viewer } = world.people
    const task = await taskFor(viewer)
    const setEmail = (email: string | null) =>
      world.service.sql('update users set email = $2 where id = $1', [viewer.user_id, email])
    for (const email of [null, 'not-an-address']) {
      await setEmail(email)
      assert.deepEqual(await mailedNow(task), [])
    }
    await setEmail('Zoe@Bücher.example')
    assert.equal((await mailedNow(task))[0]?.to, 'zoe@xn--bcher-kva.example')
    await setEmail(viewer.email)
    const close = (status: string) =>
      world.service.sql('update workspaces set status = $2 where id = $1', [world.workspace_id, status])
    await close('closed')
    assert.deepEqual(await mailedNow(task), [])
    await close('active')
  })

  it('about a list counts what is still to be done of it, and no more than the list had', async () => {
    const room_id = await world.room()
    const { guest } = world.people
    await world.invite(room_id, guest, 'edit')
    const { data } = await member().createRoomRequests({
      room_id,
      template: 'small_business_purchase',
      assignee_user_id: guest.user_id,
    })
    const subjectNow = async (count: number) => (await listMailedNow(room_id, guest, count))[0]?.subject
    assert.match(String(await subjectNow(10)), /^10 requests/)
    for (const task_id of data.task_ids.slice(2))
      await world.service.sql(
        `update tasks set status = 'canceled', canceled_at = now(), terminal_reason = 'x' where id = $1`,
        [task_id],
      )
    assert.match(String(await subjectNow(64)), /^2 requests/)
    await world.service.sql(
      `update tasks set status = 'canceled', canceled_at = now(), terminal_reason = 'x' where room_id = $1 and status = 'open'`,
      [room_id],
    )
    assert.equal(await subjectNow(64), undefined)
  })
})
