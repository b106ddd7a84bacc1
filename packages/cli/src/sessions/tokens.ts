import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { Session } from '../profiles/profile.ts'

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** The fields of a session that an issuer's answer sets. An issuer that does not rotate refresh tokens sends none. */
export function tokensOf(
  tokens: Tokens,
  before: string | null = null,
): Pick<Session, 'access_token' | 'expires_at' | 'refresh_token'> {
  const seconds = tokens.expiresIn()
  return {
    access_token: tokens.access_token,
    expires_at: seconds === undefined ? expiryOf(tokens.access_token) : at(Date.now() + seconds * 1000),
    refresh_token: tokens.refresh_token ?? before,
  }
}

/** When an access token expires by its own words, unverified. Null if it does not say. */
export function expiryOf(access_token: string): string | null {
  try {
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as {
      exp?: unknown
    }
    return typeof claims.exp === 'number' ? at(claims.exp * 1000) : null
  } catch {
    return null
  }
}

/** Null for a time that no date has. */
function at(milliseconds: number): string | null {
  const time = new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
