import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

const declared = join(import.meta.dirname, '../../../packages/contract/src/problems.ts')
const wanted = ['ProblemMembers', 'ProblemCode', 'InputError', 'ProblemBody']

/** The types of problems, as the contract declares them. Throws if it declares one of them no more. */
export function problemsFile(): string {
  const text = readFileSync(declared, 'utf8')
  const { body } = parseSync(declared, text).program
  const found = new Map<string, string>()
  for (const [at, statement] of body.entries()) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue
    const { declaration } = statement
    if (declaration.type !== 'TSInterfaceDeclaration' && declaration.type !== 'TSTypeAliasDeclaration')
      continue
    // With the comment before it.
    found.set(declaration.id.name, text.slice(body[at - 1]?.end ?? 0, statement.end).trim())
  }
  const types = wanted.map(name => {
    const type = found.get(name)
    if (type === undefined) throw new Error(`${declared} has no type ${name}.`)
    return type
  })
  return `// npm run generate copies these types from packages/contract/src/problems.ts.\n\n${types.join('\n\n')}\n`
}
