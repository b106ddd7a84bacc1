import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { SignInOption, SignInOptions } from '../../../identity/sign-in-options.ts'
import { documentSender, serveDocument } from '../serve-document.ts'
import { folder, importMap, integrityOf, pageFiles } from './page-files.ts'
import { style } from './page-style.ts'

/**
 * The page that mailed invitations link to, on which a person signs in and answers. It is the same for everybody: the
 * token is in the fragment, which browsers do not send, and the page's script asks the service what it is for. Opening
 * the page changes nothing, because programs that scan mail open every link, and neither does coming back from an
 * issuer. Accepting and declining are separate requests.
 */
export function addInvitationPage(
  server: FastifyInstance,
  options: SignInOptions,
  { asksEarly }: { asksEarly: boolean },
): void {
  // Nobody shall wait for an issuer far away.
  if (asksEarly) server.addHook('onListen', async () => void options())
  let kept = { ways: '', send: senderFor([]) }
  server.get('/invitations', async (request, reply) => {
    const found = await options()
    const ways = JSON.stringify(found)
    if (kept.ways !== ways) kept = { ways, send: senderFor(found) }
    return kept.send(request, reply)
  })
  for (const { name, text } of pageFiles)
    serveDocument(server, `/${folder}/${name}`, {
      type: 'text/javascript; charset=utf-8',
      body: text,
      headers: { 'cache-control': 'public, max-age=31536000, immutable' },
    })
}

/** The page with these ways to sign in. Both the page and its policy name them, so its entity tag covers its policy. */
const senderFor = (ways: readonly SignInOption[]) =>
  documentSender({
    type: 'text/html; charset=utf-8',
    body: pageWith(ways),
    headers: { 'content-security-policy': policyFor(ways), 'referrer-policy': 'no-referrer' },
  })

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page may connect to the service and to the token endpoints of the issuers, and to nothing else. */
const policyFor = (options: readonly SignInOption[]): string =>
  [
    "default-src 'none'",
    `script-src 'self' ${hashOf(importMap)}`,
    `style-src ${hashOf(style)}`,
    ["connect-src 'self'", ...new Set(options.flatMap(tokenSource))].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/** The token endpoint as a source of a policy, in which a semicolon or a comma would end the list. */
function tokenSource({ endpoints }: SignInOption): string[] {
  if (endpoints === null) return []
  const { origin, pathname } = new URL(endpoints.token_endpoint)
  return [origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')]
}

/** Data for the script. Without `<`, it cannot end the element that it is in. */
const dataOf = (options: readonly SignInOption[]) =>
  JSON.stringify(options.map(option => ({ ...option, scope: scopeOfPage(option.scope) }))).replaceAll(
    '<',
    String.raw`\u003c`,
  )

/** The page keeps no token, so it asks for none that lasts. */
const scopeOfPage = (scope: string) =>
  scope
    .split(' ')
    .filter(scope => scope !== 'offline_access')
    .join(' ')

const pageScript = pageFiles.find(({ name }) => name === 'page.js')?.text ?? ''

const pageWith = (options: readonly SignInOption[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Invitation</title>
<style>${style}</style>
<script type="importmap">${importMap}</script>
<script type="application/json" id="options">${dataOf(options)}</script>
<script type="module" src="${folder}/page.js" integrity="${integrityOf(pageScript)}"></script>
</head>
<body>
<main>
<h1>Invitation</h1>
<p id="status" role="status" tabindex="-1">Reading the invitation… If this does not change, reload the page.</p>
<noscript><p class="bad">This page needs JavaScript. Allow it for this site, or open the link in another browser.</p></noscript>
<dl class="part" id="facts" hidden>
<dt class="of-room">Room</dt><dd class="of-room" id="room"></dd>
<dt>Workspace</dt><dd id="workspace"></dd>
<dt>Invited by</dt><dd id="inviter"></dd>
<dt>For</dt><dd id="email"></dd>
<dt>As</dt><dd id="role"></dd>
<dt>Good until</dt><dd id="expires"></dd>
</dl>
<section class="part" id="sign-in" aria-labelledby="sign-in-title" hidden>
<h2 id="sign-in-title">Your answer</h2>
<p id="how"></p>
<p class="buttons" id="ways"></p>
<p id="no-account" class="small"></p>
<p id="out"><span id="out-names"></span> <button type="button" id="again" class="quiet">Try again</button></p>
</section>
<section class="part" id="answer" aria-labelledby="answer-title" hidden>
<h2 id="answer-title">Your answer</h2>
<p>You are signed in as <strong id="person"></strong>.</p>
<p id="unconfirmed" class="bad">The account has no confirmed email address, so it cannot answer the invitation. Confirm the address there and sign in again, or use another account.</p>
<p class="buttons" id="answers"><button type="button" id="accept">Accept</button> <button type="button" id="decline" class="quiet">Decline</button></p>
<p><button type="button" id="another" class="quiet">Sign in with another account</button></p>
</section>
<section class="part" id="joined" aria-labelledby="joined-title" hidden>
<h2 id="joined-title">How it goes on</h2>
<dl>
<dt class="joined-room">Room</dt><dd class="joined-room" id="joined-room-title"></dd>
<dt>Workspace</dt><dd id="joined-workspace-name"></dd>
<dt>You may</dt><dd id="joined-may"></dd>
</dl>
<p>Open the application in which you work with this service, and sign in with the same account. On a terminal, sign in with <code>wbs login</code><span class="joined-room">; <code>wbs me rooms</code> lists your Rooms</span>. <a href="docs">The reference</a> is for those who write programs; they need:</p>
<dl>
<dt>Workspace ID</dt><dd><code id="joined-workspace"></code></dd>
<dt class="joined-room">Room ID</dt><dd class="joined-room"><code id="joined-room"></code></dd>
</dl>
<div id="others" hidden>
<p>You also take part in:</p>
<ul id="other-rooms"></ul>
</div>
</section>
</main>
</body>
</html>
`
