// The authorization code flow with PKCE. What is needed after the return from the issuer is stored in the tab; the
// access token stays in memory, and other tokens are dropped.
import { forget, keep, stored } from './storage.js'

/** A sign-in failed. The message is for the person. */
export class SignInFault extends Error {}

const redirectUri = () => location.origin + location.pathname

/**
 * Leaves for the issuer. Throws SignInFault.
 *
 * @param option one of the page's sign-in options
 * @param {string} [prompt]
 */
export async function leaveFor(option, prompt) {
  const oauth = await library()
  const code_verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  if (!keep('sign-in', { state, code_verifier, issuer: option.issuer }))
    throw new SignInFault(
      'Your browser stores nothing for this page, and without that you cannot sign in here. Allow it to store data for this site, or open the link in another browser.',
    )
  const url = new URL(option.endpoints.authorization_endpoint)
  const asked = {
    ...option.parameters,
    client_id: option.client_id,
    response_type: 'code',
    redirect_uri: redirectUri(),
    scope: option.scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  location.assign(url)
}

/** The answer of an issuer in the address of the page, which is removed from the address; null for none. */
export function takeAnswer() {
  const answer = new URLSearchParams(location.search)
  if (!answer.has('state') && !answer.has('code') && !answer.has('error')) return null
  history.replaceState(null, '', location.pathname + location.hash)
  return answer
}

/**
 * Changes an issuer's answer into an access token. Each answer is used once. Throws SignInFault.
 *
 * @param {URLSearchParams} answer
 * @param options the page's sign-in options
 * @returns {Promise<{ access_token: string, option: object }>}
 */
export async function signInWith(answer, options) {
  const begun = stored('sign-in')
  if (begun === null || answer.get('state') !== begun.state)
    throw new SignInFault(
      'This sign-in was used already, or begun in another tab or for another invitation. Sign in again.',
    )
  forget('sign-in')
  const option = options.find(one => one.issuer === begun.issuer)
  if (!option?.endpoints) throw new SignInFault('The sign-in cannot be completed now. Sign in again.')
  const oauth = await library()
  try {
    return { access_token: await exchange(oauth, option, answer, begun), option }
  } catch (error) {
    throw new SignInFault(sentenceFor(oauth, error, option.name), { cause: error })
  }
}

async function exchange(oauth, { endpoints, issuer, client_id, parameters }, answer, begun) {
  const server = { ...endpoints, issuer }
  // The ID token of the answer is not used, so the clock of the visitor's machine need not be right.
  const client = { client_id, [oauth.clockTolerance]: 366 * 86_400 }
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    oauth.validateAuthResponse(server, client, answer, begun.state),
    redirectUri(),
    begun.code_verifier,
    {
      // The service accepts http only for issuers on its own machine.
      [oauth.allowInsecureRequests]: new URL(issuer).protocol === 'http:',
      ...(parameters.resource && { additionalParameters: { resource: parameters.resource } }),
    },
  )
  const { access_token } = await oauth.processAuthorizationCodeResponse(server, client, response)
  return access_token
}

function sentenceFor(oauth, error, name) {
  if (error instanceof oauth.AuthorizationResponseError)
    return error.error === 'access_denied'
      ? 'You did not sign in, so nothing was accepted or declined.'
      : `${name} did not sign you in (${error.error}). Try again, or tell the person who invited you.`
  if (error instanceof oauth.ResponseBodyError)
    return error.error === 'invalid_grant'
      ? 'The sign-in took too long, or was used already. Sign in again.'
      : `${name} did not complete the sign-in (${error.error}). Try again, or tell the person who invited you.`
  if (error instanceof oauth.OperationProcessingError)
    return `${name} answered the sign-in with something unexpected, so it was not used. Sign in again.`
  return `${name} cannot be reached from this page. Sign in again, or tell the person who invited you.`
}

async function library() {
  try {
    return await import('oauth4webapi')
  } catch (error) {
    throw new SignInFault('A part of this page could not be loaded. Reload the page.', { cause: error })
  }
}
