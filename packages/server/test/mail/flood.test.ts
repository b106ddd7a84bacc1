import assert from 'node:assert/strict'
import { randomUUID, type UUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { createSendNotice } from '../../src/call/notices/send-notice.ts'
import type { Notice } from '../../src/call/notices/notice.ts'
import { WritersBusy } from '../../src/database/faults.ts'
import { createMailer } from '../../src/mail/create-mailer.ts'
import { mailSettings } from '../../src/mail/mail-settings.ts'
import { MailNotSent, type MailMessage } from '../../src/mail/mailer.ts'
import { makeConnectionWorld, type ConnectionWorld } from '../connections/connection-fixture.ts'
import { eventually } from '../harness/eventually.ts'
import { quietLog } from '../harness/quiet-log.ts'
import type { Person } from '../harness/service.ts'
import { startMailServer, type TestMailServer } from './mail-server.ts'

let server: TestMailServer
let world: ConnectionWorld
before(async () => {
  server = await startMailServer()
  const settings = mailSettings(`smtp://127.0.0.1:${server.port}`, 'Harbor <no-reply@harbor.example>')
  const mailer = createMailer({ ...settings, folder: '/nowhere', log: quietLog })
  world = await makeConnectionWorld({ mailer })
})
after(async () => {
  await world.close()
  await server.stop()
})

const takenFor = ({ email }: Person) => server.taken.filter(({ to }) => to.includes(email))
const subjectsFor = (person: Person) => takenFor(person).map(({ email }) => email.subject)

/** Waits until all jobs that are due have run. */
const settled = () =>
  eventually(async () => {
    const waiting = await world.service.sql(
      `select from svc_jobs.job where name like 'mail%' and state in ('created', 'retry', 'active') and start_after <= now()`,
    )
    return waiting.length === 0 || undefined
  })

/** Lets the digests come that are due within the hour. */
async function digested() {
  await world.service.sql(
    `update svc_jobs.job set start_after = now() where name = 'mail_digest' and state = 'created'`,
  )
  await settled()
}

/** So many questions to somebody, by eight requests at a time. */
async function ask(client: Client, room_id: string, { user_id }: Person, count: number) {
  const titles = Array.from({ length: count }, (_, at) => `Win at https://evil.example ${at}`)
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let title = titles.pop(); title !== undefined; title = titles.pop())
        await client.createTask({ room_id, kind: 'question', title, assignee_user_id: user_id })
    }),
  )
}

describe('a guest who asks 400 questions of one person', () => {
  let room_id: string
  before(async () => {
    const { guest, rival, admin } = world.people
    room_id = await world.room('Sale of Glacier')
    await world.invite(room_id, guest, 'view')
    await world.invite(room_id, rival, 'view')
    await world.invite(room_id, admin, 'full_access')
    await ask(world.as(guest), room_id, admin, 400)
    await settled()
  })

  it('causes 20 mails, whose subjects have no link', () => {
    const subjects = subjectsFor(world.people.admin)
    assert.equal(subjects.length, 20)
    for (const subject of subjects) assert.doesNotMatch(subject ?? '', /https:\/\/|evil\.example/)
  })

  it('loses none of them: the Tasks stand', async () => {
    const { admin } = world.people
    const [found] = await world.service.sql<{ count: number }>(
      'select count(*)::integer as count from tasks where room_id = $1 and assignee_user_id = $2',
      [room_id, admin.user_id],
    )
    assert.equal(found?.count, 400)
  })

  it('does not keep another person from mailing the same recipient, nor themselves from mailing another', async () => {
    const { guest, rival, admin, member } = world.people
    await ask(world.as(rival), room_id, admin, 1)
    await ask(world.as(guest), room_id, member, 1)
    await settled()
    assert.equal(takenFor(admin).length, 21)
    assert.equal(takenFor(member).length, 1)
  })

  it('causes one digest, which counts the others and names neither a person nor what they wrote', async () => {
    const { admin, guest, rival } = world.people
    const before = takenFor(admin).length
    await digested()
    assert.equal(takenFor(admin).length, before + 1)
    const { subject, text = '', html = '' } = takenFor(admin).at(-1)?.email ?? {}
    assert.equal(subject, 'Waiting for you in the Workspace “Harbor Street Partners”: 380 Tasks')
    assert.match(text, new RegExp(`In the Room “Sale of Glacier” \\(${room_id}\\): 380 Tasks\\.`))
    for (const body of [text, html])
      for (const secret of [guest.name, rival.name, guest.email, rival.email, 'Win at'])
        assert.ok(!body.includes(secret), secret)
    await digested()
    assert.equal(takenFor(admin).length, before + 1)
  })

  it('can mail again after an hour, and forgets what is older than two days', async () => {
    const { guest, admin } = world.people
    const age = (interval: string) =>
      world.service.sql(`update mail_notices set noted_at = now() - $1::interval`, [interval])
    const before = takenFor(admin).length
    await ask(world.as(guest), room_id, admin, 1)
    await settled()
    assert.equal(takenFor(admin).length, before)
    await age('61 minutes')
    await ask(world.as(guest), room_id, admin, 1)
    await settled()
    assert.equal(takenFor(admin).length, before + 1)
    await age('49 hours')
    await ask(world.as(guest), room_id, admin, 1)
    await settled()
    assert.equal((await world.service.sql('select from mail_notices')).length, 1)
  })
})

describe('requested approvals', () => {
  it('have the same budget', async () => {
    const { guest, owner } = world.people
    const room_id = await world.room('Sale of Moraine')
    await world.invite(room_id, guest, 'edit')
    await world.invite(room_id, owner, 'edit')
    const { connection_id } = await world.share(room_id, owner)
    const requester = world.as(guest)
    for (let asked = 0; asked < 25; asked++)
      await requester.requestApproval({ room_id, connection_id, operation: 'change', arguments: { asked } })
    await settled()
    assert.equal(takenFor(owner).length, 20)
    await digested()
    assert.equal(
      subjectsFor(owner).at(-1),
      'Waiting for you in the Workspace “Harbor Street Partners”: 5 requested approvals',
    )
  })

  it('are left out of a digest whose reader cannot open the Room any more', async () => {
    const { guest, rival } = world.people
    const room_id = await world.room('Sale of Esker')
    await world.invite(room_id, guest, 'edit')
    const participant_id = await world.invite(room_id, rival, 'edit')
    await ask(world.as(world.people.member), room_id, rival, 22)
    await settled()
    assert.equal(takenFor(rival).length, 20)
    await world.as(world.people.member).revokeParticipant({ room_id, participant_id })
    await digested()
    assert.equal(takenFor(rival).length, 20)
  })
})

describe('the budget of mail', () => {
  const message = { to: 'zoe@example.com', subject: '', text: '', html: '' } as unknown as MailMessage
  const notice = (over: Partial<Notice> = {}): Notice => ({
    workspace_id: world.workspace_id,
    sender_user_id: randomUUID(),
    recipient_user_id: randomUUID(),
    room_id: null,
    about: 'task',
    things: 1,
    ...over,
  })

  /** Sends notices at once, and counts those that went out. */
  function post(send: () => Promise<void> = () => Promise.resolve()) {
    const sent: string[] = []
    const { writers } = world.service.database
    const mailer = {
      send: async (_message: MailMessage, id: string) => {
        await send()
        sent.push(id)
      },
    }
    const jobs = { send: () => Promise.resolve() }
    const sendNotice = createSendNotice({ writers, jobs, mailer, now: () => new Date() })
    return { sent, give: (one: Notice, id = randomUUID()) => sendNotice(one, message, { id }) }
  }

  it('is exact while many are sent at once', async () => {
    const { sent, give } = post()
    const one = notice()
    // On a busy machine, some wait too long for a connection, as jobs do that are tried again.
    const giveAgain = (id: UUID): Promise<unknown> =>
      give(one, id).catch((error: unknown) =>
        error instanceof WritersBusy ? giveAgain(id) : Promise.reject(error),
      )
    await Promise.all(Array.from({ length: 60 }, () => giveAgain(randomUUID())))
    assert.equal(sent.length, 20)
  })

  it('counts a job once, however often it is tried', async () => {
    const one = notice()
    const id = randomUUID()
    const failing = post(() => Promise.reject(new MailNotSent('ESOCKET')))
    for (let attempt = 0; attempt < 25; attempt++) await assert.rejects(failing.give(one, id))
    const { sent, give } = post()
    await give(one, id)
    for (let others = 0; others < 19; others++) await give(one)
    assert.equal(sent.length, 20)
    await give(one)
    await give(one, id)
    assert.deepEqual(sent.slice(20), [id])
  })

  it('is one for each Room, and one of 100 for all that a sender mails', async () => {
    const { sent, give } = post()
    const sender_user_id = randomUUID()
    for (let recipient = 0; recipient < 6; recipient++) {
      const one = notice({ sender_user_id })
      for (const room_id of ['rom_a', 'rom_b'])
        await Promise.all(Array.from({ length: 10 }, () => give({ ...one, room_id })))
    }
    assert.equal(sent.length, 100)
  })

  it('bounds what many send to one, and lets the first mail of each sender through', async () => {
    const { sent, give } = post()
    const recipient_user_id = randomUUID()
    const sender = () => notice({ recipient_user_id })
    for (let senders = 0; senders < 6; senders++) {
      const one = sender()
      await Promise.all(Array.from({ length: 20 }, () => give(one)))
    }
    assert.equal(sent.length, 101)
    const another = sender()
    await give(another)
    await give(another)
    assert.equal(sent.length, 102)
  })

  it('of a recipient cannot be used up by one sender, in however many Rooms', async () => {
    const { sent, give } = post()
    const recipient_user_id = randomUUID()
    const one = notice({ recipient_user_id })
    for (const room_id of ['rom_a', 'rom_b', 'rom_c', 'rom_d', 'rom_e'])
      await Promise.all(Array.from({ length: 20 }, () => give({ ...one, room_id })))
    assert.equal(sent.length, 100)
    const another = notice({ recipient_user_id })
    await Promise.all(Array.from({ length: 20 }, () => give(another)))
    assert.equal(sent.length, 120)
  })
})
