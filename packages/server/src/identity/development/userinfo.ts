import type { IncomingMessage, ServerResponse } from 'node:http'

import { createLocalJWKSet, jwtVerify } from 'jose'

import { claimsOf, userOf } from './sample-users.ts'
import type { SigningKey } from './signing-keys.ts'

/**
 * The userinfo endpoint. The library's own accepts no token with the audience of an API, which all tokens of this
 * provider have.
 */
export function userinfoEndpoint(issuer: string, key: SigningKey) {
  const { kty, n, e, kid, alg } = key
  const keys = createLocalJWKSet({ keys: [{ kty, n, e, kid, alg }] })

  return async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = /^bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const subject = token === undefined ? undefined : await subjectOf(token)
    const user = userOf(subject ?? '')
    // Any origin may call it, since that needs a token.
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('cache-control', 'no-store')
    if (user === undefined) {
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ sub: user.subject, ...claimsOf(user) }))
  }

  async function subjectOf(token: string): Promise<string | undefined> {
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, typ: 'at+jwt', algorithms: ['RS256'] })
      return payload.sub
    } catch {
      return undefined
    }
  }
}
