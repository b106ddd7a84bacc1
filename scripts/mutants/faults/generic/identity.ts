import type { Mutant } from '../../mutant.ts'

export const identityFaults: readonly Mutant[] = [
  {
    name: 'An address that the issuer has not verified counts as verified.',
    file: 'packages/server/src/identity/user-identity.ts',
    text: "claims['email_verified'] === true",
    replacement: "claims['email_verified'] !== false",
    caughtBy: ['packages/server/test/identity/token-verifier.test.ts'],
  },
  {
    name: 'A token for another service is accepted.',
    file: 'packages/server/src/identity/issuers.ts',
    text: 'audience: settings.audience,',
    replacement: '',
    caughtBy: [
      'packages/server/test/identity/token-verifier.test.ts',
      'packages/server/test/identity/hostile-tokens.test.ts',
    ],
  },
  {
    name: 'A token that was accepted before works after its end.',
    file: 'packages/server/src/identity/issuers.ts',
    text: 'seconds - tolerance',
    replacement: 'seconds - 10 * tolerance',
    caughtBy: ['packages/server/test/identity/token-verifier.test.ts'],
  },
  {
    name: 'A token that is bound to a key is accepted without the key.',
    file: 'packages/server/src/identity/token-kind.ts',
    text: "claims['cnf'] !== undefined || ",
    replacement: '',
    caughtBy: ['packages/server/test/identity/hostile-tokens.test.ts'],
  },
  {
    name: 'A larger network counts as a part of a smaller one.',
    file: 'packages/server/src/identity/networks.ts',
    text: 'inner.prefix >= outer.prefix',
    replacement: 'inner.prefix <= outer.prefix',
    caughtBy: ['packages/server/test/identity/networks.test.ts'],
  },
  {
    name: 'A masked address shows its whole domain.',
    file: 'packages/server/src/identity/email-address.ts',
    text: `\${first(domain)}…\${top}`,
    replacement: `\${domain}`,
    caughtBy: [
      'packages/server/test/identity/invitation-token.test.ts',
      'packages/server/test/invitations/answer-team-invitation.test.ts',
    ],
  },
]
