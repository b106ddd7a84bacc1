import type { MailLine } from './mail-line.ts'
import type { MailBody, MailMessage } from './mailer.ts'

/** The parts of a message. They are lines, so that none can contain what a person wrote as they wrote it. */
export interface MessageParts {
  to: string
  subject: MailLine
  title: MailLine
  opening: MailLine
  /** A page on which the reader can do something, if there is one. The service makes the link. */
  action?: { label: MailLine; link: string }
  paragraphs: readonly MailLine[]
}

/** A message as text and as HTML. */
export const composeMessage = (parts: MessageParts): MailMessage => ({
  to: parts.to,
  subject: parts.subject,
  text: textOf(parts) as MailBody,
  html: htmlOf(parts) as MailBody,
})

const textOf = ({ opening, action, paragraphs }: MessageParts): string =>
  [opening, ...(action ? [`${action.label}:\n${action.link}`] : []), ...paragraphs, ''].join('\n\n')

/** One column, legible in any mail program, without external resources. */
const htmlOf = ({ title, opening, action, paragraphs }: MessageParts): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escape(title)}</title></head>`,
    '<body style="margin:0 auto;max-width:34rem;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif">',
    `<h1 style="font-size:1.3rem">${escape(title)}</h1>`,
    `<p>${escape(opening)}</p>`,
    ...(action ? actionHtml(action) : []),
    ...paragraphs.map(paragraph => `<p>${escape(paragraph)}</p>`),
    '</body>',
    '</html>',
    '',
  ].join('\n')

function actionHtml({ label, link }: { label: string; link: string }): string[] {
  const address = escape(link)
  return [
    `<p><a href="${address}" style="display:inline-block;padding:.7rem 1.2rem;border-radius:.4rem;background:#0a58b5;color:#fff;text-decoration:none">${escape(label)}</a></p>`,
    `<p>Or copy this address into a browser:<br><span style="overflow-wrap:anywhere">${address}</span></p>`,
  ]
}

/** Safe in an element and in a quoted attribute. */
const escape = (text: string) => text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
