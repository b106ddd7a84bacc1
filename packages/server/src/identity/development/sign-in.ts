import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Provider } from 'oidc-provider'

import { messagePage, pageHeaders, signInPage } from './pages.ts'
import { sampleUsers, userWithAddress } from './sample-users.ts'

const longestForm = 1_024

/**
 * Serves the page on which a user is chosen. The provider redirects a browser here with a cookie that names the
 * sign-in; a request without the cookie, or for another sign-in, is refused.
 *
 * @param uid the sign-in named in the path
 * @param action the path to which the page posts
 */
export async function handleSignIn(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  { uid, action }: { uid: string; action: string },
): Promise<void> {
  const signIn = await provider.interactionDetails(request, response).catch(() => null)
  if (signIn === null || signIn.uid !== uid) {
    const message =
      'It was finished already, or too long ago. Go back to where you came from and start again.'
    return send(response, 400, messagePage('This sign-in is over', message))
  }
  if (request.method === 'POST') {
    const result = await chosen(request, signIn.prompt.name)
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  const client = await provider.Client.find(String(signIn.params['client_id']))
  const clientName = client?.clientName ?? client?.clientId ?? 'A client'
  send(response, 200, signInPage({ action, clientName, users: sampleUsers }))
}

async function chosen(request: IncomingMessage, prompt: string) {
  const form = new URLSearchParams(await readForm(request))
  const key = form.get('user')
  const user = sampleUsers.find(user => user.key === key) ?? userWithAddress(form.get('email') ?? '')
  if (user === undefined) {
    return { error: 'access_denied', error_description: 'Nobody was chosen to sign in.' }
  }
  // Completes the prompt too, if it is another than `login`.
  return { [prompt]: {}, login: { accountId: user.subject } }
}

/** The text of the form; empty if it is too long, but read to its end, so that it can be answered. */
async function readForm(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    if (text.length <= longestForm) text += String(chunk)
  }
  return text.length <= longestForm ? text : ''
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, pageHeaders).end(html)
}
