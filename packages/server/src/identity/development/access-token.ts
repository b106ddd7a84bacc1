import { randomUUID } from 'node:crypto'

import { importJWK, SignJWT } from 'jose'

import { claimsOf, type SampleUser } from './sample-users.ts'
import type { SigningKey } from './signing-keys.ts'

/** The client that needs no registration. */
export const developmentClientId = 'wbs-development'

export const developmentClientName = 'Development client'

/** The scope of access tokens. */
export const tokenScope = 'openid profile email'

/** How long access tokens are valid, in seconds. */
export const tokenLifetime = 86_400

/** Issues the access token that the provider issues to a user who signs in. */
export async function mintAccessToken(
  user: SampleUser,
  {
    issuer,
    audience,
    signingKey,
    lifetimeSeconds = tokenLifetime,
  }: { issuer: string; audience: string; signingKey: SigningKey; lifetimeSeconds?: number | undefined },
): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000)
  const claims = {
    ...claimsOf(user),
    client_name: developmentClientName,
    jti: randomUUID(),
    sub: user.subject,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    scope: tokenScope,
    client_id: developmentClientId,
    iss: issuer,
    aud: audience,
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: signingKey.alg, typ: 'at+jwt', kid: signingKey.kid })
    .sign(await importJWK(signingKey, signingKey.alg))
}
