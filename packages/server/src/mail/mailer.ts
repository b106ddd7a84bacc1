import type { MailLine } from './mail-line.ts'

/** A message to one person, as text and as HTML. Only compose-message.ts makes one. */
export interface MailMessage {
  /** An address with its domain in ASCII. */
  to: string
  subject: MailLine
  text: MailBody
  html: MailBody
}

declare const composed: unique symbol

/** A body that was composed of lines. */
export type MailBody = string & { readonly [composed]: true }

/** Sends mail. */
export interface Mailer {
  /** Sends a message. `id` is the same for every attempt, so that a duplicate can be recognized. Throws MailNotSent. */
  send(message: MailMessage, id: string): Promise<void>
}

/** A message was not accepted. The code says why; the mail server's own text is left out, since it may contain an address. */
export class MailNotSent extends Error {
  readonly code: string

  constructor(code: string) {
    super(`The message was not accepted (${code}).`)
    this.code = code
  }
}
