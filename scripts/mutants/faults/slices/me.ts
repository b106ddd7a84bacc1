import type { Mutant } from '../../mutant.ts'

export const meFaults: readonly Mutant[] = [
  {
    name: 'An API key sees the Rooms of its owner in other Workspaces.',
    file: 'packages/server/src/me/my-rooms.ts',
    text: "caller.kind === 'key' ? caller.workspace_id : null",
    replacement: "caller.kind === 'key' ? null : null",
    caughtBy: ['packages/server/test/me/list-my-rooms.test.ts'],
  },
  {
    name: 'The Rooms of a closed Workspace are listed.',
    file: 'packages/server/src/me/my-room-store.ts',
    text: " and p.workspace_status <> 'closed'",
    replacement: '',
    caughtBy: ['packages/server/test/me/list-my-rooms.test.ts'],
  },
]
