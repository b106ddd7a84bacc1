import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { createMailer } from '../../src/mail/create-mailer.ts'
import { mailSettings } from '../../src/mail/mail-settings.ts'
import { tokenIn } from '../harness/invitations.ts'
import { enterRoom } from '../harness/rooms.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'
import { startMailServer, type TestMailServer } from './mail-server.ts'

describe('an invitation on its way to a mailbox', () => {
  let server: TestMailServer
  let service: TestService
  let olivia: Person
  let workspace_id: string
  before(async () => {
    server = await startMailServer()
    const settings = mailSettings(`smtp://127.0.0.1:${server.port}`, 'Harbor <no-reply@harbor.example>')
    const log = pino({ level: 'silent' })
    service = await startTestService({ mailer: createMailer({ ...settings, folder: '/nowhere', log }) })
    olivia = service.person('Olivia')
    workspace_id = await service.workspace('Bäckerei & Söhne <b>', olivia)
  })
  after(async () => {
    await service.close()
    await server.stop()
  })

  const invite = (email: string) =>
    olivia.client.createTeamInvitation({ email, role: 'member' }, { workspace_id })
  const takenFor = (email: string) => server.taken.filter(({ to }) => to.includes(email))

  it('arrives as text and as HTML, from and to whom it should, with a link that lets its reader in', async () => {
    const zoe = service.person('Zoe')
    await invite(zoe.email)
    const [mail] = await eventually(() => takenFor(zoe.email).length > 0 && takenFor(zoe.email))
    const { email } = mail ?? assert.fail()
    assert.equal(mail?.from, 'no-reply@harbor.example')
    assert.equal(email.subject, 'Invitation to the Workspace “Bäckerei & Söhne <b>”')
    const link = /http\S+/.exec(email.text ?? '')?.[0] ?? ''
    assert.ok(link.startsWith(`${service.base_url}/invitations#token=svi_`))
    assert.ok(email.html?.includes(`href="${link}"`))
    assert.doesNotMatch(email.html ?? '', /Söhne <b>/)
    await zoe.client.acceptInvitation({ token: tokenIn(email.text ?? '') })
  })

  it('to a Room arrives as well, one paragraph of what its sender says, and nothing that they smuggle in', async () => {
    const client = service.client({ access_token: olivia.token, workspace_id })
    const { room } = await client.createRoom({ title: 'Verkauf & <i>Söhne</i>' })
    const zoe = service.person('Zoe')
    await client.inviteParticipant({
      room_id: room.room_id,
      email: zoe.email,
      access_level: 'edit',
      message: 'Grüße!\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script> https://evil.example',
    })
    const [mail] = await eventually(() => takenFor(zoe.email).length > 0 && takenFor(zoe.email))
    const { email, to, source } = mail ?? assert.fail()
    assert.deepEqual(to, [zoe.email])
    assert.deepEqual([email.bcc ?? [], email.cc ?? []], [[], []])
    assert.doesNotMatch(source.slice(0, source.indexOf('\r\n\r\n')), /^bcc:/im)
    assert.equal(email.subject, 'Invitation to the Room “Verkauf & <i>Söhne</\u200bi>”')
    assert.match(email.text ?? '', /Olivia writes: “Grüße! Bcc: [^\n]+”/)
    assert.doesNotMatch(email.html ?? '', /<script|<i>|https:\/\/evil/)
    const { participant } = await zoe.client.acceptInvitation({ token: tokenIn(email.text ?? '') })
    assert.equal(participant?.access_level, 'edit')
  })

  it('about a request list arrives as one mail, as text and as HTML, with nothing that its creator smuggles in', async () => {
    const client = service.client({ access_token: olivia.token, workspace_id })
    const zoe = service.person('Zoe')
    await service.join(workspace_id, zoe, 'member')
    const { room } = await client.createRoom({ title: 'Verkauf <b> https://evil.example' })
    await enterRoom(service, { workspace_id, room_id: room.room_id }, zoe, 'view')
    await client.createRoomRequests({
      room_id: room.room_id,
      template: 'quality_of_earnings',
      assignee_user_id: zoe.user_id,
    })
    const [mail] = await eventually(() => takenFor(zoe.email).length > 0 && takenFor(zoe.email))
    const { email, from } = mail ?? assert.fail()
    assert.equal(from, 'no-reply@harbor.example')
    assert.equal(
      email.subject,
      '67 requests in the Room “Verkauf <b> https:\u200b/\u200b/\u200bevil.\u200bexample”',
    )
    for (const body of [email.text ?? '', email.html ?? '']) {
      assert.match(body, /67 requests of a list in the Room/)
      assert.match(body, /SVC_TASK_MAIL=off/)
      assert.doesNotMatch(body, /https:\/\/evil/)
    }
    assert.doesNotMatch(email.html ?? '', /Verkauf <b>|<a /)
    await client.createTask({ title: 'Call the accountant', assignee_user_id: zoe.user_id })
    await eventually(() => takenFor(zoe.email).length === 2)
    assert.equal(takenFor(zoe.email)[1]?.email.subject, 'Task: Call the accountant')
  })

  it('waits while the mail server is away, and arrives once when it is back', async () => {
    await server.stop()
    const email = 'away@example.com'
    const { data } = await invite(email)
    assert.equal(data.status, 'pending', 'nobody waits for the mail')
    await eventually(() => service.logged.some(line => line.includes('will be retried')))
    await server.start()
    await eventually(() => takenFor(email).length > 0)
    await sleep(1_500)
    assert.equal(takenFor(email).length, 1)
    assert.ok(!service.logged.join().includes(email))
  })

  it('that is refused for the while arrives later', async () => {
    const email = 'busy@example.com'
    server.refusal = { status: 451, text: `${email} is over its quota` }
    await invite(email)
    await eventually(() => service.logged.some(line => line.includes('EMESSAGE 451')))
    assert.deepEqual(takenFor(email), [])
    server.refusal = null
    await eventually(() => takenFor(email).length > 0)
    assert.ok(!service.logged.join().includes('quota'))
  })

  it('is not sent any more where it was revoked in the meantime', async () => {
    await server.stop()
    const email = 'revoked@example.com'
    const failures = () => service.logged.filter(line => line.includes('will be retried')).length
    const before = failures()
    const { data } = await invite(email)
    await eventually(() => failures() > before)
    await olivia.client.revokeTeamInvitation({ invitation_id: data.invitation_id }, { workspace_id })
    await server.start()
    await eventually(
      async () =>
        (
          await service.sql(
            `select from svc_jobs.job where data ->> 'invitation_id' = $1 and state = 'completed'`,
            [data.invitation_id],
          )
        ).length > 0,
    )
    assert.deepEqual(takenFor(email), [])
  })
})
