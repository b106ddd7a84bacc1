/** A message to one person, in both forms that mail programs show. */
export interface MailMessage {
  /** An address as it travels: in ASCII. */
  to: string
  subject: string
  text: string
  html: string
}

/** Sends mail. */
export interface Mailer {
  /**
   * Hands a message over. `id` is the same whenever the same message is sent again, so that a second copy can be told
   * for one. Throws MailNotSent.
   */
  send(message: MailMessage, id: string): Promise<void>
}

/** A message was not taken. The code says why; what the mail server said is left out, since that may name an address. */
export class MailNotSent extends Error {
  readonly code: string

  constructor(code: string) {
    super(`The message was not taken (${code}).`)
    this.code = code
  }
}
