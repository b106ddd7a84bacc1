import type { Reader } from '../../database/statement.ts'
import { readApiKey } from '../../identity/api-key-format.ts'
import type { TokenVerdict } from '../../identity/issuers.ts'
import type { Caller } from './caller.ts'
import { translateFault } from '../fault-problem.ts'
import { verifyApiKey } from './verify-api-key.ts'
import { invalid, unauthenticated, unavailable } from '../problem.ts'

/** The credentials of a request, as its headers have them. */
export interface Credentials {
  authorization: string | undefined
  api_key: string | undefined
  /** The network address of the client. */
  address: string
}

export interface Authenticator {
  verifyToken(token: string): Promise<TokenVerdict>
  reader: Reader
  /** Called with every API key that was accepted. */
  noteUse(key: { workspace_id: string; id: string }): void
}

/**
 * Identifies the sender of a request; null if it has no credential. An invalid credential is refused even where none is
 * needed. Throws unauthenticated, validation_error (two credentials), forbidden (a key outside its networks) or
 * unavailable.
 */
export const createAuthenticate =
  (by: Authenticator) =>
  async ({ authorization, api_key, address }: Credentials): Promise<Caller | null> => {
    if (authorization !== undefined && api_key !== undefined) throw bothAtOnce()
    if (authorization !== undefined) return userOf(authorization, by)
    if (api_key !== undefined) return keyOf(api_key, address, by)
    return null
  }

const bothAtOnce = () =>
  invalid([
    {
      in: 'header',
      pointer: '/X-SVC-API-Key',
      code: 'conflict',
      detail: 'The request has both Authorization and X-SVC-API-Key. Send only one of them.',
    },
  ])

async function userOf(authorization: string, by: Authenticator): Promise<Caller> {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (token === undefined)
    throw unauthenticated('The header Authorization must be Bearer, a space and an access token.')
  const verdict = await by.verifyToken(token)
  if (verdict.ok === 'unavailable')
    throw unavailable(
      'The service cannot fetch the keys of the issuer now, so it cannot verify the access token.',
      5,
    )
  if (!verdict.ok) throw unauthenticated(tokenRefusals[verdict.reason], 'invalid_token')
  const { expires_at: _, ...user } = verdict.user
  return { kind: 'user', ...user }
}

const tokenRefusals = {
  malformed: 'The access token is not a JWT.',
  issuer: 'The access token is not from an issuer that this service trusts.',
  signature: 'The signature of the access token is not valid.',
  expired: 'The access token has expired.',
  not_yet_valid: 'The access token is not valid yet.',
  audience: 'The access token is not for this service.',
  type: 'This is not an access token.',
  claims: 'A required claim of the access token is missing or not valid.',
  lifetime: 'The lifetime of the access token is longer than this service accepts.',
} as const satisfies Record<string, string>

async function keyOf(text: string, address: string, by: Authenticator): Promise<Caller> {
  const read = readApiKey(text)
  if (!read) throw unauthenticated('The API key is malformed.')
  const key = await verifyApiKey(by.reader, { ...read, address }).catch((error: unknown) => {
    throw translateFault(error)
  })
  by.noteUse({ workspace_id: key.workspace_id, id: key.key_id })
  return key
}
