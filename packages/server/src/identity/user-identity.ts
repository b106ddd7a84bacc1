import type { JWTPayload } from 'jose'

import type { IssuerSettings } from './issuer-settings.ts'
import { clientIdOf } from './token-kind.ts'
import { userId } from './user-id.ts'

/** The person a token was issued for, and the client it was issued to. */
export interface UserIdentity {
  /** UUID, the same for ever: see `userId`. */
  user_id: string
  issuer: string
  subject: string
  /** In lower case. Proves nothing unless `email_verified`. */
  email: string | null
  email_verified: boolean
  name: string | null
  is_anonymous: boolean
  client: { id: string; name: string | null } | null
  /** Epoch seconds. */
  expires_at: number
}

/** Reads verified claims. Null if `sub` or `exp` is invalid; other invalid claims are ignored. */
export function readIdentity(claims: JWTPayload, settings: IssuerSettings): UserIdentity | null {
  const { sub, exp } = claims
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub) || exp === undefined) return null
  const email = readEmail(claims['email'])
  const client = clientIdOf(claims)
  return {
    user_id: userId(settings.namespace ?? settings.issuer, sub),
    issuer: settings.issuer,
    subject: sub,
    email,
    email_verified: email !== null && claims['email_verified'] === true,
    name: readLine(claims['name']),
    is_anonymous: claims['is_anonymous'] === true,
    client:
      client === null
        ? null
        : { id: client, name: readLine(claims['client_name'] ?? claims['app_displayname']) },
    expires_at: Math.floor(exp),
  }
}

function readEmail(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(value)
    ? value.toLowerCase()
    : null
}

/** A name of one line, because it is displayed and written into events. */
function readLine(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 255 || /\p{Cc}/u.test(value)) return null
  return value.trim() === '' ? null : value.trim()
}
