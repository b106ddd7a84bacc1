import { createHash } from 'node:crypto'

import type { SampleUser } from './sample-users.ts'

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 30rem; margin: 10vh auto; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
ul { list-style: none; margin: 1.5rem 0; padding: 0; }
li { margin: .5rem 0; }
button { font: inherit; padding: .6rem 1rem; border: 1px solid currentColor; border-radius: .4rem;
  background: transparent; color: inherit; cursor: pointer; }
li button { width: 100%; text-align: start; }
button:hover, button:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px; }
small { display: block; opacity: .8; overflow-wrap: anywhere; }
input { font: inherit; padding: .5rem; max-width: 100%; box-sizing: border-box; }
code { font-size: 1.5rem; letter-spacing: .1em; }
`

/**
 * The headers of every page: nothing is loaded, run or framed. There is no form-action, because a browser would apply
 * it to the client's address to which a sign-in redirects.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Escapes text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/** A whole page. `title` is text; `body` is HTML with its values already escaped. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`
}

/** The page on which a user is chosen. The form posts the user's key to `action`. */
export function signInPage(options: {
  action: string
  clientName: string
  users: readonly SampleUser[]
}): string {
  const choices = options.users.map(
    user => `<li><button name="user" value="${escapeHtml(user.key)}">${escapeHtml(user.name)}
<small>${escapeHtml(user.key)} · ${escapeHtml(user.email)}</small></button></li>`,
  )
  return page(
    'Sign in as…',
    `<p><strong>${escapeHtml(options.clientName)}</strong> will act for whomever you choose.</p>
<form method="post" action="${escapeHtml(options.action)}">
<ul>
${choices.join('\n')}
</ul>
<button name="user" value="">Cancel</button>
</form>
<form method="post" action="${escapeHtml(options.action)}">
<p><label for="email">Or as anybody else, to try out an invitation to their address:</label>
<input id="email" name="email" type="email" maxlength="200" required autocomplete="off"> <button>Sign in</button></p>
</form>
<p><small>This is for development. There is no password: whoever reaches this page can be anybody.</small></p>`,
  )
}

/** A page with one message. */
export function messagePage(title: string, message: string): string {
  return page(title, `<p>${escapeHtml(message)}</p>`)
}
