import { saveMail } from './save-mail.ts'
import type { MailSettings, SmtpServer } from './mail-settings.ts'
import { MailNotSent, type Mailer, type MailMessage } from './mailer.ts'

interface Log {
  warn(details: object, message: string): void
}

interface MailerSettings extends MailSettings {
  /** The folder for messages if there is no mail server. */
  folder: string
  log: Log
}

/**
 * Sends mail by the configured server; without one, saves each message as a file and logs where. The mail library is
 * loaded with the first message, so that it does not delay the start.
 */
export function createMailer({ smtp, from, folder, log }: MailerSettings): Mailer {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const compose = (message: MailMessage, id: string) => ({
    ...message,
    from,
    to: { name: '', address: message.to },
    messageId: `<${id}@${domain}>`,
    // Suppresses vacation notices (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return smtp ? throughServer(smtp, compose) : intoFolder(folder, compose, log)
}

type Compose = (message: MailMessage, id: string) => object

function throughServer(smtp: SmtpServer, compose: Compose): Mailer {
  const { host, port, secure, requireTls, credentials } = smtp
  const options = {
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  }
  return {
    async send(message, id) {
      try {
        const { createTransport } = await import('nodemailer')
        await createTransport(options).sendMail(compose(message, id))
      } catch (error) {
        throw new MailNotSent(codeOf(error))
      }
    },
  }
}

/** The kind of the failure, and the mail server's status if it gave one. */
function codeOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const kind = typeof code === 'string' ? code : 'unknown'
  return typeof responseCode === 'number' ? `${kind} ${responseCode}` : kind
}

function intoFolder(folder: string, compose: Compose, log: Log): Mailer {
  return {
    async send(message, id) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message: source } = await transport.sendMail(compose(message, id))
      const file = await saveMail(folder, id, source as Buffer)
      // Logged as a warning so that it is visible: without a mail server, this is how mail is found.
      log.warn({ file }, 'mail was saved as a file, because SMTP_URL is not set')
    },
  }
}
