import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { script, style } from './invitation-page-parts.ts'
import { serveDocument } from './serve-document.ts'

/**
 * The page that mailed invitations link to. It is the same for everybody: the token is in the fragment, which browsers
 * do not send, and the page's script asks the service what it is for. Opening the page changes nothing, because
 * programs that scan mail open every link. Accepting and declining are separate requests.
 */
export function addInvitationPage(server: FastifyInstance): void {
  serveDocument(server, '/invitations', {
    type: 'text/html; charset=utf-8',
    body: page,
    headers: { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' },
  })
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Invitation</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Invitation</h1>
<p id="status" role="status">Reading the invitation…</p>
<noscript><p>This page needs JavaScript to show the invitation. <a href="docs">The reference</a> shows how to accept it without.</p></noscript>
<dl id="facts" hidden>
<dt class="of-room">Room</dt><dd class="of-room" id="room"></dd>
<dt>Workspace</dt><dd id="workspace"></dd>
<dt>Invited by</dt><dd id="inviter"></dd>
<dt>For</dt><dd id="email"></dd>
<dt>As</dt><dd id="role"></dd>
<dt>Good until</dt><dd id="expires"></dd>
</dl>
<form id="answer" hidden>
<h2>Your answer</h2>
<p id="how">Accept or decline with an access token that your identity provider has issued for the invited address. The token is sent only with your answer.</p>
<label for="access-token">Access token</label>
<input id="access-token" type="password" autocomplete="off" spellcheck="false" required aria-describedby="how">
<p class="buttons"><button type="submit" value="accept">Accept</button> <button type="submit" value="decline" class="quiet">Decline</button></p>
</form>
</main>
<script>${script}</script>
</body>
</html>
`
