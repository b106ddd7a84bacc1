import { hash } from 'node:crypto'

/** The credentials that were valid when they were last judged on this node. It grants no access: each is judged again. */
export interface KnownCredentials {
  /** Counts as a use. */
  has(credential: string): boolean
  add(credential: string): void
  delete(credential: string): void
}

/** Remembers at most so many, by their SHA-256, and forgets those that were not used for the longest time. */
export function createKnownCredentials(most = 20_000): KnownCredentials {
  const known = new Set<string>()
  return {
    has(credential) {
      const digest = digestOf(credential)
      // Inserted again, so that the set starts with the one that was not used for the longest time.
      if (!known.delete(digest)) return false
      known.add(digest)
      return true
    },
    add(credential) {
      if (known.size >= most) known.delete(known.values().next().value as string)
      known.add(digestOf(credential))
    },
    delete: credential => void known.delete(digestOf(credential)),
  }
}

const digestOf = (credential: string) => hash('sha256', credential, 'base64')
