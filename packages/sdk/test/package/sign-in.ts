import * as oidc from 'openid-client'
import { browser } from '../../../server/test/identity/browser.ts'

const redirect_uri = 'http://127.0.0.1:53111/callback'

/** Signs a sample user in at the development provider of a service, as a browser would, and gives the access token. */
export async function signIn(service: string, user: string): Promise<string> {
  const issuer = new URL('/identity', service)
  const insecure = { execute: [oidc.allowInsecureRequests] }
  const config = await oidc.discovery(issuer, 'wbs-development', undefined, oidc.None(), insecure)
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const expectedState = oidc.randomState()
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid profile email',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  })
  const visitor = browser(issuer.origin)
  const arrived = await visitor.submit(await visitor.go(url), { user })
  const tokens = await oidc.authorizationCodeGrant(config, arrived.url, { pkceCodeVerifier, expectedState })
  return tokens.access_token
}
