import type { Mutant } from '../../mutant.ts'

export const goalsFaults: readonly Mutant[] = [
  {
    name: 'The time of a value changes although the value stays.',
    file: 'packages/server/src/goals/metrics/metric.ts',
    text: 'stays ? before.as_of : now.toISOString()',
    replacement: 'now.toISOString()',
    caughtBy: ['packages/server/test/goals/metrics/metric.test.ts'],
  },
  {
    name: 'A replay shows the count of a List to a caller who may not read it any more.',
    file: 'packages/server/src/goals/goal-view.ts',
    text: '!metric || readsSource(metric.source.type, standing)',
    replacement: "!metric || metric.source.type !== ''",
    caughtBy: [
      'packages/server/test/goals/metrics/goal-metrics.test.ts',
      'packages/server/test/goals/metrics/valuation-metrics.test.ts',
    ],
  },
  {
    name: 'A Goal is reopened without a look at its revision.',
    file: 'packages/server/src/goals/reopen-goal.ts',
    text: 'requireRevision(goal, expected_revision, changed, refuse)',
    replacement: '',
    caughtBy: ['packages/server/test/goals/reopen-goal.test.ts'],
  },
  {
    name: 'A Goal of other guests is seen in a masked Room.',
    file: 'packages/server/src/database/migrations/0036_who_sees_rooms.sql',
    text: 'or exists (select from known_people(workspace, viewer, people))))',
    replacement: 'or true))',
    caughtBy: [
      'packages/server/test/goals/masked-rooms.test.ts',
      'packages/server/test/tasks/task-visibility.test.ts',
    ],
  },
]
