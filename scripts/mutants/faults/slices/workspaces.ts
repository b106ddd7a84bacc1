import type { Mutant } from '../../mutant.ts'

export const workspacesFaults: readonly Mutant[] = [
  {
    name: 'The last owner may leave.',
    file: 'packages/server/src/workspaces/team/team-rules.ts',
    text: "before.role === 'owner' && after?.role !== 'owner'",
    replacement: "before.role === 'owner' && after !== null && after.role !== 'owner'",
    caughtBy: [
      'packages/server/test/workspaces/team/team-rules.test.ts',
      'packages/server/test/workspaces/team/leaving.test.ts',
    ],
  },
  {
    name: 'A permission that the caller lacks may be taken away.',
    file: 'packages/server/src/workspaces/team/team-rules.ts',
    text: 'for (const state of [before, after])',
    replacement: 'for (const state of [after])',
    caughtBy: ['packages/server/test/workspaces/team/team-rules.test.ts'],
  },
  {
    name: 'The API keys of a removed member stay valid.',
    file: 'packages/server/src/workspaces/team/end-membership.ts',
    text: 'if (keys.length > 0) revokeApiKeysOf',
    replacement: 'if (keys.length > 1) revokeApiKeysOf',
    caughtBy: [
      'packages/server/test/workspaces/team/leaving.test.ts',
      'packages/server/test/workspaces/team/team-members.test.ts',
      'packages/server/test/workspaces/api-keys/api-keys.test.ts',
    ],
  },
  {
    name: 'Somebody else may let an API key live longer.',
    file: 'packages/server/src/workspaces/api-keys/api-key-rules.ts',
    text: 'Date.parse(after) <= Date.parse(before)',
    replacement: 'Date.parse(after) >= Date.parse(before)',
    caughtBy: ['packages/server/test/workspaces/api-keys/api-key-rules.test.ts'],
  },
  {
    name: 'The old secret of a key works sixty times as long.',
    file: 'packages/server/src/workspaces/api-keys/rotate-api-key.ts',
    text: 'overlap_seconds * 1000',
    replacement: 'overlap_seconds * 60_000',
    caughtBy: ['packages/server/test/workspaces/api-keys/api-keys.test.ts'],
  },
  {
    name: 'Mail is sent to an address that nobody has verified.',
    file: 'packages/server/src/workspaces/workspace-store.ts',
    text: 'user.email_verified ? user.email : null',
    replacement: 'user.email',
    caughtBy: ['packages/server/test/tasks/mail/task-mail.test.ts'],
  },
  {
    name: 'A Workspace has one pending invitation too many.',
    file: 'packages/server/src/workspaces/team-invitations/create-team-invitation.ts',
    text: 'pending >= mostPending',
    replacement: 'pending > mostPending',
    caughtBy: ['packages/server/test/workspaces/team-invitations/create-team-invitation.test.ts'],
  },
]
