import type { Mutant } from '../../mutant.ts'

export const databaseFaults: readonly Mutant[] = [
  {
    name: 'Row-level security shows the Tasks of every Workspace.',
    file: 'packages/server/src/database/migrations/0023_goals_tasks_connections.sql',
    text: 'create policy within_workspace on tasks using (workspace_id = current_workspace());',
    replacement: 'create policy within_workspace on tasks using (current_workspace() is not null);',
    caughtBy: [
      'packages/server/test/database/row-level-security.test.ts',
      'packages/server/test/database/workspace-rows/workspace-rows.test.ts',
    ],
  },
  {
    name: 'A row that was changed meanwhile is saved without a word.',
    file: 'packages/server/src/database/migrations/0031_revision_missed.sql',
    text: "raise exception 'no row has the revision that was read' using errcode = 'SV001';",
    replacement: 'return 0;',
    caughtBy: ['packages/server/test/call/lost-updates.test.ts'],
  },
  {
    name: 'The bytes of an upload that has ended still count as promised.',
    file: 'packages/server/src/database/migrations/0032_storage.sql',
    text: '0, -old.size_bytes, 0',
    replacement: '0, 0, 0',
    caughtBy: ['packages/server/test/files/usage/storage.test.ts'],
  },
  {
    name: 'A save that finds no row with its revision succeeds.',
    file: 'packages/server/src/database/statement.ts',
    text: 'when count(*) = 0 then',
    replacement: 'when count(*) > 1 then',
    caughtBy: ['packages/server/test/call/lost-updates.test.ts'],
  },
  {
    name: 'A prefetched statement locks for a standing that was not judged.',
    file: 'packages/server/src/database/locks.ts',
    text: `\${settingSql('svc.standing')}) = \${seal})`,
    replacement: `\${settingSql('svc.standing')}) <> '' or \${seal} is null)`,
    caughtBy: [
      'packages/server/test/rooms/prefetched-locks.test.ts',
      'packages/server/test/businesses/prefetched-locks.test.ts',
    ],
  },
  {
    name: 'Changes are stored in a period that has not begun.',
    file: 'packages/server/src/database/partitions/history-period.ts',
    text: 'where starts_at <= now()',
    replacement: '',
    caughtBy: [
      'packages/server/test/database/partitions/many-periods.test.ts',
      'packages/server/test/database/partitions/retention.test.ts',
    ],
  },
  {
    name: 'The self-test accepts a policy that lets rows of another Workspace be written.',
    file: 'packages/server/src/database/self-test.ts',
    text: 'or (writes and keeps !~',
    replacement: 'or (not writes and keeps !~',
    caughtBy: ['packages/server/test/database/self-test.test.ts'],
  },
  {
    name: 'The self-test accepts a reader that may delete.',
    file: 'packages/server/src/database/self-test.ts',
    text: `'insert, update, delete, truncate')
     or`,
    replacement: `'insert, update')
     or`,
    caughtBy: [
      'packages/server/test/database/self-test.test.ts',
      'packages/server/test/database/svc-reader.test.ts',
    ],
  },
]
