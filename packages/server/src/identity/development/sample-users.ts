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

/** The user whose tokens have this `sub`. */
export function sampleUserOf(subject: string): SampleUser | undefined {
  return sampleUsers.find(user => user.subject === subject)
}

/** The claims of a user, the same in access tokens, ID tokens and at the userinfo endpoint. */
export function claimsOf(user: SampleUser): Record<string, string | boolean> {
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
