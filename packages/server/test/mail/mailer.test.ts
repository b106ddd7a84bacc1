import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { createMailer } from '../../src/mail/create-mailer.ts'
import { mailSettings } from '../../src/mail/mail-settings.ts'
import { MailNotSent, type MailMessage } from '../../src/mail/mailer.ts'
import { startMailServer, type TestMailServer } from './mail-server.ts'
import { quietLog } from '../harness/quiet-log.ts'

/** Any texts as a message. */
const messageOf = (texts: { to: string; subject: string; text: string; html: string }) => texts as MailMessage

const message = messageOf({
  to: 'zoe@xn--hfen-loa.example',
  subject:
    'Invitation to “Harbor & Söhne”, which goes on for longer than one line of a header may be, and then some',
  text: 'Hello “Zoë”\n\nhttps://service.example/invitations#token=svi_0123456789012345678901234567890123456789012\n',
  html: '<!doctype html><p>Hello “Zoë”</p>',
})
const id = '0190a7a2-0000-7000-8000-000000000001'
describe('with SMTP_URL, mail', () => {
  let server: TestMailServer
  before(async () => void (server = await startMailServer()))
  after(() => server.stop())
  afterEach(() => {
    server.taken.length = 0
    server.refusal = null
  })

  const mailer = (credentials = '') =>
    createMailer({
      ...mailSettings(
        `smtp://${credentials}127.0.0.1:${server.port}`,
        'Harbor Söhne <no-reply@harbor.example>',
      ),
      folder: '/nowhere',
      log: quietLog,
    })

  it('is handed to the server, as text and as HTML', async () => {
    await mailer().send(message, id)
    const [mail] = server.taken
    assert.ok(mail)
    // The server decodes the domain from its ASCII form.
    assert.deepEqual([mail.from, mail.to], ['no-reply@harbor.example', ['zoe@häfen.example']])
    const { email } = mail
    assert.deepEqual(email.from, { name: 'Harbor Söhne', address: 'no-reply@harbor.example' })
    assert.deepEqual(
      email.to?.map(({ address }) => address),
      [message.to],
    )
    assert.equal(email.subject, message.subject)
    assert.equal(email.text?.replaceAll('\r\n', '\n').trim(), message.text.trim())
    assert.equal(email.html?.trim(), message.html)
    assert.ok(Math.abs(Date.parse(email.date ?? '') - Date.now()) < 60_000)
  })

  it('says that no person sent it, and carries the same id each time, and nothing that follows anybody', async () => {
    await mailer().send(message, id)
    await mailer().send(message, id)
    assert.deepEqual(
      server.taken.map(({ email }) => email.messageId),
      Array(2).fill(`<${id}@harbor.example>`),
    )
    const headers = server.taken[0]?.email.headers ?? []
    assert.equal(headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated')
    assert.deepEqual(headers.map(({ key }) => key).sort(), [
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ])
  })

  it('goes out with credentials, if there are any', async () => {
    await mailer().send(message, id)
    await mailer('user%40x:p%3Ass@').send(message, id)
    assert.deepEqual(
      server.taken.map(mail => mail.credentials),
      [null, 'user@x:p:ss'],
    )
  })

  it('takes no header from what it says', async () => {
    await mailer().send(messageOf({ ...message, subject: 'a\r\nBcc: eve@example.com\r\n\r\nbody' }), id)
    const [mail] = server.taken
    assert.equal(mail?.to.length, 1)
    assert.equal(mail?.email.bcc, undefined)
    assert.doesNotMatch(mail?.source ?? '', /^Bcc:/m)
  })

  it('that is refused, or finds no server, fails with a code, and not in the words of the server', async () => {
    server.refusal = { status: 550, text: 'zoe is not known here' }
    const failure = (error: unknown) =>
      error instanceof MailNotSent && !/zoe|harbor/.test(`${error.stack}${JSON.stringify(error)}`)
    await assert.rejects(mailer().send(message, id), error => failure(error) && /550/.test(String(error)))
    const gone = mailer()
    await server.stop()
    try {
      await assert.rejects(
        gone.send(message, id),
        error => failure(error) && /ESOCKET|ECONN/.test(String(error)),
      )
    } finally {
      await server.start()
    }
  })

  it('is not sent with a password over a connection that anybody can read', async () => {
    const open = createMailer({
      ...mailSettings(`smtp://user:password@127.0.0.1:${server.port}`, 'no-reply@harbor.example'),
      smtp: {
        host: '127.0.0.1',
        port: server.port,
        secure: false,
        requireTls: true,
        credentials: { user: 'user', password: 'password' },
      },
      folder: '/nowhere',
      log: quietLog,
    })
    await assert.rejects(open.send(message, id), MailNotSent)
    assert.deepEqual(server.taken, [])
  })
})

describe('without SMTP_URL, mail', () => {
  let folder: string
  const logged: { file?: string }[] = []
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'wbs-mail-'))))
  after(() => rm(folder, { recursive: true }))

  it('is kept in a file, for its owner alone, whose path is logged', async () => {
    const log = { warn: (details: object) => void logged.push(details) }
    const mailer = createMailer({ ...mailSettings(null, null), folder: join(folder, 'data', 'mail'), log })
    await mailer.send(message, id)
    await mailer.send({ ...message, to: 'other@example.com' }, 'another-id')
    const path = join(folder, 'data', 'mail')
    const files = (await readdir(path)).sort()
    assert.equal(files.length, 2)
    assert.match(files[0] ?? '', new RegExp(`^\\d{8}T\\d{6}-\\d{3}Z-${id}\\.eml$`))
    assert.deepEqual(
      logged,
      files.map(file => ({ file: join(path, file) })),
    )
    assert.equal((await stat(path)).mode & 0o777, 0o700)
    for (const file of files) assert.equal((await stat(join(path, file))).mode & 0o777, 0o600)
    const email = await PostalMime.parse(await readFile(join(path, files[0] ?? ''), 'utf8'))
    assert.equal(email.subject, message.subject)
    assert.equal(email.text?.replaceAll('\r\n', '\n').trim(), message.text.trim())
    assert.equal(email.messageId, `<${id}@localhost>`)
    assert.equal(email.to?.[0]?.address, message.to)
  })
})
