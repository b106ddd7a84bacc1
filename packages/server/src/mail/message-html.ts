/** The parts of a message, as text. */
interface MessageParts {
  title: string
  opening: string
  action: { label: string; link: string }
  paragraphs: readonly string[]
}

/** A message as HTML: one column, legible in any mail program, without external resources. */
export function messageHtml({ title, opening, action, paragraphs }: MessageParts): string {
  const link = escape(action.link)
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
    `<title>${escape(title)}</title></head>`,
    '<body style="margin:0 auto;max-width:34rem;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif">',
    `<h1 style="font-size:1.3rem">${escape(title)}</h1>`,
    `<p>${escape(opening)}</p>`,
    `<p><a href="${link}" style="display:inline-block;padding:.7rem 1.2rem;border-radius:.4rem;background:#0a58b5;color:#fff;text-decoration:none">${escape(action.label)}</a></p>`,
    `<p>Or copy this address into a browser:<br><span style="overflow-wrap:anywhere">${link}</span></p>`,
    ...paragraphs.map(paragraph => `<p>${escape(paragraph)}</p>`),
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** Safe in an element and in a quoted attribute. */
const escape = (text: string) => text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
