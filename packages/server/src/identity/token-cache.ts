import { hash } from 'node:crypto'

import type { IssuerKeys } from './issuer-keys.ts'
import type { IssuerSettings } from './issuer-settings.ts'
import type { UserIdentity } from './user-identity.ts'

/** How a token is to be verified: what it states before its signature is checked. */
export interface SignedBy {
  issuer: IssuerSettings
  keys: IssuerKeys
  kid: string
  typ: unknown
}

/** The result of verifying a token. */
export interface CachedToken {
  signed: SignedBy
  user: UserIdentity
  /** Epoch seconds, not rounded. */
  expires: number
  not_before: number
  /** The version of the key set that verified it. */
  version: number
}

/** A cache of verified tokens that drops the least recently used. The tokens themselves are not kept. */
export interface TokenCache {
  get(token: string): CachedToken | undefined
  set(token: string, known: CachedToken): void
  delete(token: string): void
}

/** Caches at most `limit` tokens, by their SHA-256. */
export function createTokenCache(limit: number): TokenCache {
  // A Map iterates in the order of insertion. An entry that is used is inserted again, so the first is the least
  // recently used.
  const known = new Map<string, CachedToken>()

  function forget(token: string): void {
    known.delete(digestOf(token))
  }

  function get(token: string): CachedToken | undefined {
    const digest = digestOf(token)
    const found = known.get(digest)
    if (found !== undefined) {
      known.delete(digest)
      known.set(digest, found)
    }
    return found
  }

  function set(token: string, entry: CachedToken): void {
    known.set(digestOf(token), entry)
    const oldest = known.size > limit ? known.keys().next() : undefined
    if (oldest?.value !== undefined) known.delete(oldest.value)
  }

  return { get, set, delete: forget }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64')
}
