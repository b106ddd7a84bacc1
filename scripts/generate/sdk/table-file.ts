import { isBytes, isStream, mayAnswerBytes, workspaceOf, type Operation } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { itemsKeyOf } from './method-shape.ts'

/** The letters of a line of the table, which packages/sdk/src/operations.ts reads. */
const letters: Record<string, (op: Operation) => boolean> = {
  w: op => workspaceOf(op) !== 'none',
  k: op => op.kind === 'mutation',
  v: op => op.visitors === true,
  b: isBytes,
  f: op => mayAnswerBytes(op) && !isBytes(op),
  s: isStream,
  l: op => itemsKeyOf(op) !== undefined,
}

/** The table of operations, as text: a bundle has it compressed, and nothing else makes it so small. */
export function tableFile(): string {
  const lines = (operations as readonly Operation[]).map(op => {
    const flags = Object.keys(letters).filter(letter => letters[letter]?.(op))
    return `${op.name} ${op.http} ${flags.join('')}`.trimEnd()
  })
  return `// npm run generate writes this file from the declarations of packages/contract.

/** A line for each operation: its name, method, path, and letters that ../operations.ts explains. */
export const table = \`
${lines.join('\n')}
\`
`
}
