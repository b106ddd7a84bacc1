/** A fictitious person to try the service out as. */
export interface SampleUser {
  key: 'owner' | 'admin' | 'member' | 'viewer' | 'outsider' | 'newcomer' | 'anonymous'
  /** The `sub` of the person's tokens. */
  subject: string
  name: string
  /** At example.com, which never receives mail (RFC 2606). Tokens of the anonymous user have no email. */
  email: string
}

/** The users of the development identity, in the order of its page. */
export const sampleUsers: readonly SampleUser[] = [
  sample('owner', 'Olivia Bennett', 'olivia.bennett@example.com'),
  sample('admin', 'Marcus Chen', 'marcus.chen@example.com'),
  sample('member', 'Priya Raman', 'priya.raman@example.com'),
  sample('viewer', 'Daniel Okafor', 'daniel.okafor@example.com'),
  sample('outsider', 'Elena Rossi', 'elena.rossi@example.com'),
  sample('newcomer', 'Jonas Weber', 'jonas.weber@example.com'),
  sample('anonymous', 'Anonymous visitor', 'anonymous@example.com'),
]

/** The namespace of the sample users' ids, so that another port does not change them. */
export const developmentNamespace = 'urn:wbs:development-identity'

/** Somebody who signs in: a sample user, or, with `key` null, a person with any other address. */
export type DevelopmentUser = Omit<SampleUser, 'key'> & { key: SampleUser['key'] | null }

const addressPrefix = 'address-'

/** The user whose tokens have this `sub`. */
export function userOf(subject: string): DevelopmentUser | undefined {
  if (subject.startsWith(addressPrefix)) return userWithAddress(subject.slice(addressPrefix.length))
  return sampleUsers.find(user => user.subject === subject)
}

/**
 * The person with an address, always the same one: to try out invitations to it. Undefined for what is no address of
 * ASCII characters.
 */
export function userWithAddress(text: string): DevelopmentUser | undefined {
  const email = text.trim().toLowerCase()
  if (email.length > 200 || !/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/.test(email)) return undefined
  const sampled = sampleUsers.find(user => user.email === email && user.key !== 'anonymous')
  return sampled ?? { key: null, subject: addressPrefix + email, name: email, email }
}

/** The claims of a user, the same in access tokens, ID tokens and at the userinfo endpoint. */
export function claimsOf(user: DevelopmentUser): Record<string, string | boolean> {
  const isAnonymous = user.key === 'anonymous'
  return {
    ...(isAnonymous ? {} : { email: user.email }),
    email_verified: !isAnonymous,
    name: user.name,
    is_anonymous: isAnonymous,
  }
}

function sample(key: SampleUser['key'], name: string, email: string): SampleUser {
  return { key, subject: `sample-${key}`, name, email }
}
