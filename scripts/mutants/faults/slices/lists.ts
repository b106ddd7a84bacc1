import type { Mutant } from '../../mutant.ts'

export const listsFaults: readonly Mutant[] = [
  {
    name: 'A month before 31 March begins in March.',
    file: 'packages/server/src/lists/rules/within-last.ts',
    text: 'Math.min(day, monthLength(toYear, toMonth))',
    replacement: 'day',
    caughtBy: ['packages/server/test/lists/rules/within-last.test.ts'],
  },
  {
    name: 'The last day of a range is left out in SQL.',
    file: 'packages/server/src/lists/rules/comparison-sql.ts',
    text: `and \${column} <= \${add('to', to)}`,
    replacement: `and \${column} < \${add('to', to)}`,
    caughtBy: [
      'packages/server/test/lists/rules/sql-agrees.test.ts',
      'packages/server/test/lists/rules/as-the-database.test.ts',
    ],
  },
  {
    name: 'A number at the end of a range is left out.',
    file: 'packages/server/src/lists/rules/evaluate-rule.ts',
    text: 'fact <= to',
    replacement: 'fact < to',
    caughtBy: ['packages/server/test/lists/rules/evaluate-rule.test.ts'],
  },
  {
    name: 'An override works after its end.',
    file: 'packages/server/src/lists/members/override-sql.ts',
    text: '.expires_at > statement_timestamp())',
    replacement: ".expires_at > 'epoch')",
    caughtBy: ['packages/server/test/lists/overrides/set-list-override.test.ts'],
  },
  {
    name: 'A List has drafts that its Workspace may not see.',
    file: 'packages/server/src/lists/members/visible-business-sql.ts',
    text: 'where p.id is null and w.sees_unpublished and',
    replacement: 'where p.id is null and',
    caughtBy: [
      'packages/server/test/lists/entries/list-entries.test.ts',
      'packages/server/test/lists/members/membership-walk.test.ts',
      'packages/server/test/lists/entries/random-entries.test.ts',
    ],
  },
  {
    name: 'A value is set without a look at the version of the List.',
    file: 'packages/server/src/lists/values/set-list-entry-value.ts',
    text: "requireVersion(list, expected_version, ['values'], refuse)",
    replacement: '',
    caughtBy: ['packages/server/test/lists/values/judgement-order.test.ts'],
  },
  {
    name: 'A count is shown to a caller who may only read Lists.',
    file: 'packages/server/src/lists/list-access.ts',
    text: 'toReadCounts.every(',
    replacement: 'toReadCounts.some(',
    caughtBy: [
      'packages/server/test/lists/counts/count-list.test.ts',
      'packages/server/test/rooms/attachments/attached-lists.test.ts',
      'packages/server/test/goals/metrics/goal-metrics.test.ts',
    ],
  },
  {
    name: 'A code is under a code of another sector that begins alike.',
    file: 'packages/server/src/lists/rules/naics-code.ts',
    text: 'ranges[operand]?.includes(code.slice(0, 2)) ?? ',
    replacement: '',
    caughtBy: [
      'packages/server/test/lists/rules/evaluate-rule.test.ts',
      'packages/server/test/lists/rules/as-the-database.test.ts',
    ],
  },
]
