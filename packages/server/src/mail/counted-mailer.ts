import type { Meter } from '@opentelemetry/api'
import type { Mailer } from './mailer.ts'

/** The same mailer; each message that was sent or not accepted is counted. */
export function countedMailer(mailer: Mailer, meter: Meter): Mailer {
  const messages = meter.createCounter('svc.mail.messages', {
    description:
      'Messages that were handed to the mail server, and those that it did not accept, which are tried again.',
  })
  for (const outcome of ['sent', 'failed']) messages.add(0, { outcome })
  return {
    async send(message, id) {
      try {
        await mailer.send(message, id)
      } catch (error) {
        messages.add(1, { outcome: 'failed' })
        throw error
      }
      messages.add(1, { outcome: 'sent' })
    },
  }
}
