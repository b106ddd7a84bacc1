import type { Mutant } from '../../mutant.ts'

export const invitationsFaults: readonly Mutant[] = [
  {
    name: 'An invitation is accepted with an address that nobody has verified.',
    file: 'packages/server/src/invitations/invitation-access.ts',
    text: 'caller.email === null || !caller.email_verified',
    replacement: 'caller.email === null',
    caughtBy: ['packages/server/test/invitations/answer-team-invitation.test.ts'],
  },
  {
    name: 'Anybody with the link may accept an invitation.',
    file: 'packages/server/src/invitations/invitation-access.ts',
    text: 'emailKey(caller.email) !== found.email_key',
    replacement: 'emailKey(caller.email) === null',
    caughtBy: [
      'packages/server/test/invitations/answer-team-invitation.test.ts',
      'packages/server/test/invitations/answer-room-invitation.test.ts',
    ],
  },
]
