/** A person to try the service out as. None of them exists. */
export interface SampleUser {
  key: 'owner' | 'admin' | 'member' | 'viewer' | 'outsider' | 'newcomer' | 'anonymous'
  /** The `sub` of the person's tokens. */
  subject: string
  name: string
  /** At example.com, which RFC 2606 keeps from ever receiving mail. Tokens of the anonymous user leave it out. */
  email: string
}

/** Everybody the development identity can sign in, in the order its page shows them. */
export const sampleUsers: readonly SampleUser[] = [
  sample('owner', 'Olivia Bennett', 'olivia.bennett@example.com'),
  sample('admin', 'Marcus Chen', 'marcus.chen@example.com'),
  sample('member', 'Priya Raman', 'priya.raman@example.com'),
  sample('viewer', 'Daniel Okafor', 'daniel.okafor@example.com'),
  sample('outsider', 'Elena Rossi', 'elena.rossi@example.com'),
  sample('newcomer', 'Jonas Weber', 'jonas.weber@example.com'),
  sample('anonymous', 'Anonymous visitor', 'anonymous@example.com'),
]

/** What user ids of the development identity derive from, so that another port does not make other people. */
export const developmentNamespace = 'urn:wbs:development-identity'

/** The user whose tokens carry `subject`. */
export function sampleUserOf(subject: string): SampleUser | undefined {
  return sampleUsers.find(user => user.subject === subject)
}

/** What the provider says of a user, alike in access tokens, ID tokens and at the userinfo endpoint. */
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
