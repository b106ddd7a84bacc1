import type { Mutant } from '../../mutant.ts'

export const limitsFaults: readonly Mutant[] = [
  {
    name: 'Each address of an IPv6 network has a limit of its own.',
    file: 'packages/server/src/limits/address.ts',
    text: '.slice(0, 4)',
    replacement: '.slice(0, 8)',
    caughtBy: ['packages/server/test/limits/address.test.ts'],
  },
  {
    name: 'A node uses leased tokens that the bucket has refilled.',
    file: 'packages/server/src/limits/buckets.ts',
    text: 'limit.quota - inBucket',
    replacement: 'limit.quota',
    caughtBy: [
      'packages/server/test/limits/buckets.test.ts',
      'packages/server/test/limits/never-more.test.ts',
    ],
  },
  {
    name: 'A request that one limit refuses is charged to the others.',
    file: 'packages/server/src/limits/limiter.ts',
    text: 'counted : counted.map(putBack)',
    replacement: 'counted : counted',
    caughtBy: [
      'packages/server/test/limits/limiter.test.ts',
      'packages/server/test/limits/workspaces.test.ts',
    ],
  },
  {
    name: 'A bucket is full again after a second.',
    file: 'packages/server/src/limits/buckets.ts',
    text: '* quota / seconds',
    replacement: '* quota',
    caughtBy: ['packages/server/test/limits/bucket-store.test.ts'],
  },
  {
    name: 'Strangers use up the limit of a Workspace by naming it.',
    file: 'packages/server/src/call/authority/known-members.ts',
    text: 'knownMembers.standingOf(caller, workspace_id) ?',
    replacement: "workspace_id !== '' ?",
    caughtBy: ['packages/server/test/limits/workspaces.test.ts'],
  },
]
