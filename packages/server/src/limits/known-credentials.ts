import { hash } from 'node:crypto'

/** The credentials that were valid when they were last judged on this node. It grants no access: each is judged again. */
export interface KnownCredentials {
  /** Counts as a use. */
  has(credential: string): boolean
  /** `principal`: whose it is. */
  add(credential: string, principal: string): void
  delete(credential: string): void
}

/**
 * Remembers at most so many, by their SHA-256, and forgets those that were not used for the longest time. Of one principal it
 * remembers a few only, so that nobody displaces those of others: a person can have any number of tokens, and a token can be
 * sent in headers that differ in spaces.
 */
export function createKnownCredentials(most = 20_000, mostOfOne = 20): KnownCredentials {
  // Both are in the order of the last use.
  const principals = new Map<string, string>()
  const digests = new Map<string, Set<string>>()

  function remember(digest: string, principal: string): void {
    principals.set(digest, principal)
    const own = digests.get(principal) ?? new Set()
    digests.set(principal, own.add(digest))
    if (own.size > mostOfOne) forget(own.values().next().value)
    if (principals.size > most) forget(principals.keys().next().value)
  }

  /** Returns whose it was; undefined if it was not remembered. */
  function forget(digest = ''): string | undefined {
    const principal = principals.get(digest)
    if (principal === undefined) return undefined
    principals.delete(digest)
    const own = digests.get(principal)
    own?.delete(digest)
    if (own?.size === 0) digests.delete(principal)
    return principal
  }

  return {
    has(credential) {
      const digest = digestOf(credential)
      const principal = forget(digest)
      if (principal === undefined) return false
      remember(digest, principal)
      return true
    },
    add(credential, principal) {
      const digest = digestOf(credential)
      forget(digest)
      remember(digest, principal)
    },
    delete: credential => void forget(digestOf(credential)),
  }
}

const digestOf = (credential: string) => hash('sha256', credential, 'base64')
