import {
  isBytes,
  isStream,
  mayAnswerBytes,
  methodOf,
  pathOf,
  workspaceOf,
  type Operation,
} from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { itemsKeyOf } from './method-shape.ts'

/** The letters of an operation, which packages/sdk/src/operations.ts reads: each says what few operations are. */
const letters: Record<string, (op: Operation) => boolean> = {
  o: op => workspaceOf(op) === 'none',
  q: op => op.kind === 'query' && methodOf(op) !== 'GET',
  v: op => op.visitors === true,
  b: isBytes,
  f: op => mayAnswerBytes(op) && !isBytes(op),
  s: isStream,
  l: op => itemsKeyOf(op) !== undefined,
}

const signs = { GET: '', POST: '+', PUT: '=', PATCH: '~' }

/** The table of operations, as text: a bundle has it compressed, and nothing else makes it so small. */
export function tableFile(): string {
  const byPath = Map.groupBy(operations as readonly Operation[], pathOf)
  const lines = [...byPath].map(([path, ops]) => [path, ...ops.map(inTable)].join(' '))
  return `// npm run generate writes this file from the declarations of packages/contract.

/** A line for each path, with its operations: a sign for the method, the name, and letters. ../operations.ts reads it. */
export const table = \`
${lines.join('\n')}
\`
`
}

function inTable(op: Operation): string {
  const own = Object.keys(letters).filter(letter => letters[letter]?.(op))
  return `${signs[methodOf(op)]}${op.name}${own.length > 0 ? `:${own.join('')}` : ''}`
}
