import { hash } from 'node:crypto'

import type { IssuerKeys } from './issuer-keys.ts'
import type { IssuerSettings } from './issuer-settings.ts'
import type { UserIdentity } from './user-identity.ts'

/** What a token says of how it is to be judged, before anything else in it can be believed. */
export interface SignedBy {
  issuer: IssuerSettings
  keys: IssuerKeys
  kid: string
  typ: unknown
}

/** What need not be found out again of a token whose signature was checked. */
export interface CachedToken {
  signed: SignedBy
  user: UserIdentity
  /** Epoch seconds, not rounded. */
  expires: number
  not_before: number
  /** Of the key set that verified it. */
  version: number
}

/** Verified tokens, the least recently used forgotten first. The tokens themselves are not kept. */
export interface TokenCache {
  get(token: string): CachedToken | undefined
  set(token: string, known: CachedToken): void
  delete(token: string): void
}

/** Remembers at most `limit` tokens, under their SHA-256. */
export function createTokenCache(limit: number): TokenCache {
  // A Map iterates in the order of insertion: whatever is used is inserted again, so the first is the stalest.
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
