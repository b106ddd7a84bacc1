import type { Mutant } from '../../mutant.ts'

export const contractFaults: readonly Mutant[] = [
  {
    name: 'A visitor has the limit of a member.',
    file: 'packages/contract/src/limits.ts',
    text: "if (isVisitor && operation.kind === 'mutation')",
    replacement: "if (isVisitor && operation.kind === 'query')",
    caughtBy: [
      'packages/contract/test/limits.test.ts',
      'packages/server/test/limits/rate-limits.test.ts',
      'packages/server/test/valuations/visitors/create-as-visitor.test.ts',
    ],
  },
  {
    name: 'JSON in canonical form keeps the order of its keys.',
    file: 'packages/contract/src/json/canonical-json.ts',
    text: 'for (const name of Object.keys(object).sort()) {',
    replacement: 'for (const name of Object.keys(object)) {',
    caughtBy: ['packages/contract/test/json/canonical-json.test.ts'],
  },
  {
    name: 'A number that a double cannot hold is accepted.',
    file: 'packages/contract/src/json/exact-numbers.ts',
    text: 'if (!isExact(json.slice(at, end)))',
    replacement: 'if (!Number.isFinite(Number(json.slice(at, end))))',
    caughtBy: ['packages/contract/test/json/exact-numbers.test.ts'],
  },
  {
    name: 'Ids of one millisecond are in no order.',
    file: 'packages/contract/src/ids.ts',
    text: `if (at === lastMillisecond) increment(tail)
  else refill(tail)`,
    replacement: 'refill(tail)',
    caughtBy: ['packages/contract/test/ids.test.ts'],
  },
]
