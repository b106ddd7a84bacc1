import type { Mutant } from '../../mutant.ts'

export const valuationsFaults: readonly Mutant[] = [
  {
    name: 'Amounts are rounded half up.',
    file: 'packages/server/src/valuations/engine/decimal.ts',
    text: 'Base.ROUND_HALF_EVEN',
    replacement: 'Base.ROUND_HALF_UP',
    caughtBy: [
      'packages/server/test/valuations/engine/calculation/decimal.test.ts',
      'packages/server/test/valuations/engine/worked-examples/worked-examples.test.ts',
    ],
  },
  {
    name: 'Debt is added to the value of equity.',
    file: 'packages/server/src/valuations/engine/bridge/bridge.ts',
    text: "'Interest-bearing debt', -1]",
    replacement: "'Interest-bearing debt', 1]",
    caughtBy: ['packages/server/test/valuations/engine/bridge/bridge.test.ts'],
  },
  {
    name: 'A nonmarketable value counts as marketable.',
    file: 'packages/server/src/valuations/engine/levels/level-steps.ts',
    text: "level.endsWith('_marketable')",
    replacement: "level.endsWith('marketable')",
    caughtBy: ['packages/server/test/valuations/engine/levels/level-steps.test.ts'],
  },
  {
    name: 'Weights that do not add up to 1 are not divided by their sum.',
    file: 'packages/server/src/valuations/engine/reconciliation/reconcile.ts',
    text: 'total.equals(1)',
    replacement: 'total.greaterThan(0)',
    caughtBy: ['packages/server/test/valuations/engine/reconciliation/reconcile.test.ts'],
  },
  {
    name: 'The days of a century are one too many.',
    file: 'packages/server/src/valuations/engine/normalization/period-length.ts',
    text: 'Math.floor(years / 4) - Math.floor(years / 100)',
    replacement: 'Math.floor(years / 4)',
    caughtBy: [
      'packages/server/test/valuations/engine/normalization/basis.test.ts',
      'packages/server/test/valuations/engine/normalization/normalize.test.ts',
      'packages/server/test/valuations/engine/methods/income-methods.test.ts',
    ],
  },
  {
    name: 'A median of two values is the larger one.',
    file: 'packages/server/src/valuations/engine/calculation/functions.ts',
    text: '(sorted.length >> 1) - 1',
    replacement: 'sorted.length >> 1',
    caughtBy: ['packages/server/test/valuations/engine/calculation/functions.test.ts'],
  },
  {
    name: 'A visitor reads a valuation that has expired.',
    file: 'packages/server/src/valuations/visitors/visitor-access.ts',
    text: 'if (is_expired)',
    replacement: 'if (is_expired === undefined)',
    caughtBy: ['packages/server/test/valuations/visitors/read-as-visitor.test.ts'],
  },
  {
    name: 'Two Workspaces claim a valuation at once.',
    file: 'packages/server/src/valuations/claims/claim-store.ts',
    text: 'for update',
    replacement: '',
    caughtBy: ['packages/server/test/valuations/claims/claim-races.test.ts'],
  },
  {
    name: 'Two changes that together close a circle of portfolios both succeed.',
    file: 'packages/server/src/valuations/portfolios/holdings/holding-graph-store.ts',
    text: "pg_advisory_xact_lock(lock_number('portfolios', :workspace_id, ''))",
    replacement: 'length(:workspace_id::text)',
    caughtBy: ['packages/server/test/valuations/portfolios/holdings/cycles.test.ts'],
  },
  {
    name: 'A holding counts with a valuation of a part.',
    file: 'packages/server/src/valuations/portfolios/holdings/holding-store.ts',
    text: "->> 'percent')::numeric = 100",
    replacement: "->> 'percent')::numeric <= 100",
    caughtBy: ['packages/server/test/valuations/portfolios/holdings/holdings.test.ts'],
  },
  {
    name: 'Excess earnings twice as far away pass the check.',
    file: 'packages/server/src/valuations/engine/reconciliation/excess-earnings-check.ts',
    text: "const tolerated = '0.2'",
    replacement: "const tolerated = '0.4'",
    caughtBy: ['packages/server/test/valuations/engine/reconciliation/reconcile.test.ts'],
  },
]
