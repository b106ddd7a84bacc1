import { isIP } from 'node:net'

/** The mail server that messages are sent by. */
export interface SmtpServer {
  host: string
  port: number
  /** TLS from the start, as in smtps. */
  secure: boolean
  /** Requires STARTTLS, so that credentials are never sent in clear text, except on this machine. */
  requireTls: boolean
  credentials: { user: string; password: string } | null
}

/** The sender of messages. */
export interface MailSender {
  name: string
  address: string
}

export interface MailSettings {
  /** Null if messages are saved as files. */
  smtp: SmtpServer | null
  from: MailSender
}

const defaultSender = 'Workspace Business Service <no-reply@localhost>'

/** Reads SMTP_URL and MAIL_FROM. Throws an Error of one sentence, which does not contain the password. */
export function mailSettings(smtpUrl: string | null, from: string | null): MailSettings {
  if (smtpUrl !== null && from === null)
    throw new Error(
      'MAIL_FROM must be set along with SMTP_URL: who mail comes from, as in Example Ltd <no-reply@example.com>.',
    )
  return { smtp: smtpUrl === null ? null : readSmtpUrl(smtpUrl), from: readSender(from ?? defaultSender) }
}

const form = 'smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start'

function readSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '')
    throw new Error(`SMTP_URL must be of the form ${form}.`)
  if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '')
    throw new Error(`SMTP_URL must end with the port: it is of the form ${form}.`)
  const secure = url.protocol === 'smtps:'
  const credentials = readCredentials(url)
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTls: !secure && credentials !== null && !isThisMachine(host),
    credentials,
  }
}

function readCredentials({ username, password }: URL): SmtpServer['credentials'] {
  if (username === '' && password === '') return null
  if (username === '' || password === '')
    throw new Error('SMTP_URL must hold both a user and a password, or neither.')
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    throw new Error(
      'SMTP_URL holds a user or password that is not percent-encoded: a % in it must be written %25.',
    )
  }
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const senderForm =
  /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>\s@\p{Cc}]+@[A-Za-z0-9.-]+)>|([^<>\s@\p{Cc}]+@[A-Za-z0-9.-]+))$/u

function readSender(text: string): MailSender {
  const [, name = '', bracketed, bare] = senderForm.exec(text.trim()) ?? []
  const address = bracketed ?? bare
  if (address === undefined || !/^[\x21-\x7e]+$/.test(address))
    throw new Error(
      'MAIL_FROM must be an address, or a name and an address: Example Ltd <no-reply@example.com>.',
    )
  return { name: name.trim(), address }
}
