import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/config-values.ts'

const from = 'Harbor <no-reply@example.com>'
const mail = (env: Record<string, string>) => readConfig(env).mail

describe('SMTP_URL and MAIL_FROM', () => {
  it('are not needed: mail is kept as files then', () => {
    assert.deepEqual(mail({}), {
      smtp: null,
      from: { name: 'Workspace Business Service', address: 'no-reply@localhost' },
    })
    assert.equal(mail({ SMTP_URL: '', MAIL_FROM: '' }).smtp, null)
  })

  it('name a server, its port by the kind of connection if not told', () => {
    const smtp = (url: string) => mail({ SMTP_URL: url, MAIL_FROM: from }).smtp
    assert.deepEqual(smtp('smtp://mail.example.com'), {
      host: 'mail.example.com',
      port: 587,
      secure: false,
      requireTls: false,
      credentials: null,
    })
    assert.deepEqual(smtp('smtps://user%40example.com:p%40ss%3A%2F@mail.example.com'), {
      host: 'mail.example.com',
      port: 465,
      secure: true,
      requireTls: false,
      credentials: { user: 'user@example.com', password: 'p@ss:/' },
    })
    assert.equal(smtp('smtp://[::1]:2525')?.host, '::1')
    assert.equal(smtp('smtp://[::1]:2525')?.port, 2525)
  })

  it('send credentials over TLS alone, but for a server on this machine', () => {
    const requireTls = (host: string) =>
      mail({ SMTP_URL: `smtp://user:password@${host}`, MAIL_FROM: from }).smtp?.requireTls
    assert.equal(requireTls('mail.example.com'), true)
    assert.equal(requireTls('127.example.com'), true)
    assert.equal(requireTls('10.0.0.1'), true)
    for (const host of ['localhost', '127.0.0.1', '127.0.0.53', '[::1]'])
      assert.equal(requireTls(host), false, host)
  })

  it('take a sender with and without a name', () => {
    const sender = (text: string) => mail({ MAIL_FROM: text }).from
    assert.deepEqual(sender('Harbor <no-reply@example.com>'), {
      name: 'Harbor',
      address: 'no-reply@example.com',
    })
    assert.deepEqual(sender('"Harbor, Ltd" <a@example.com>'), {
      name: 'Harbor, Ltd',
      address: 'a@example.com',
    })
    assert.deepEqual(sender(' a@example.com '), { name: '', address: 'a@example.com' })
    assert.deepEqual(sender('Häfen <a@example.com>').name, 'Häfen')
  })

  const wrong: Record<string, string>[] = [
    { SMTP_URL: 'smtp://mail.example.com' },
    { SMTP_URL: 'mail.example.com:587', MAIL_FROM: from },
    { SMTP_URL: 'http://mail.example.com', MAIL_FROM: from },
    { SMTP_URL: 'smtp://', MAIL_FROM: from },
    { SMTP_URL: 'smtp://mail.example.com/inbox', MAIL_FROM: from },
    { SMTP_URL: 'smtp://mail.example.com?tls.rejectUnauthorized=false', MAIL_FROM: from },
    { SMTP_URL: 'smtp://user@mail.example.com', MAIL_FROM: from },
    { SMTP_URL: 'smtp://:secret-word@mail.example.com', MAIL_FROM: from },
    { SMTP_URL: 'smtp://user:secret-word%@mail.example.com', MAIL_FROM: from },
    { MAIL_FROM: 'Harbor' },
    { MAIL_FROM: 'Harbor <a@example.com' },
    { MAIL_FROM: 'a@b@example.com' },
    { MAIL_FROM: 'a@example.com, b@example.com' },
    { MAIL_FROM: 'Harbor\r\nBcc: x@example.com <a@example.com>' },
    { INVITATION_URL: 'app.example.com' },
    { INVITATION_URL: 'javascript:alert(1)' },
    { INVITATION_URL: 'https://app.example.com/#invitations' },
    { INVITATION_URL: 'https://user:secret-word@app.example.com/' },
  ]
  for (const env of wrong)
    it(`are refused in a sentence as ${JSON.stringify(env)}`, () => {
      assert.throws(
        () => readConfig(env),
        error =>
          error instanceof ConfigError &&
          /^(?:SMTP_URL|MAIL_FROM|INVITATION_URL) [^\n]*\.$/.test(error.message) &&
          !error.message.includes('secret-word'),
      )
    })

  it('lead to another page, if told', () => {
    assert.equal(readConfig({}).invitationPage, null)
    const url = 'https://app.example.com/join?from=mail'
    assert.equal(readConfig({ INVITATION_URL: url }).invitationPage, url)
  })
})
