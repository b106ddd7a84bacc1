import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { routesIn, withDeclaration } from './declaration.ts'
import { withHandler } from './handlers.ts'
import { namesOf, type OperationNames } from './names.ts'

/**
 * Writes the skeleton of an operation: its declaration, its handler with the line in handlers.ts, its test and its sample.
 * The skeleton compiles, and its tests fail until it is completed. Returns what is left to do. If something is wrong, it
 * throws and writes nothing.
 */
export function newOperation(root: string, path: string, kind: 'query' | 'mutation'): string {
  const names = namesOf(root, path)
  const text = (file: string) => readFileSync(join(root, file), 'utf8')
  const declaration = withDeclaration(text(names.contractFile), kind, names, routesIn(root))
  const files: Record<string, string> = {
    [names.contractFile]: declaration.text,
    [names.handlerFile]: handlerText(names, kind === 'mutation' && declaration.namesThings),
    [names.handlersFile]: withHandler(text(names.handlersFile), names),
    [names.testFile]: testText(names),
    [names.samplesFile]: withSample(text(names.samplesFile), names),
  }
  for (const file of [names.handlerFile, names.testFile])
    if (existsSync(join(root, file))) throw new Error(`${file} is there already.`)
  for (const [file, content] of Object.entries(files)) writeFileSync(join(root, file), content)
  return [
    `${names.operation} has its skeleton in`,
    ...Object.keys(files).map(file => `  ${file}`),
    'Write its declaration, its SQL in the …-store.ts beside the handler, its handler, its sample and its test.',
    'Then: npx oxfmt packages && npm run generate -- --examples && npm run check',
  ].join('\n')
}

function handlerText(
  { operation, camel, handler, contractModule, handlerFile }: OperationNames,
  names: boolean,
) {
  const call = posix.relative(dirname(handlerFile), 'packages/server/src/call/implement.ts')
  const visible = names
    ? `,
  {
    async visible() {
      throw new Error('Say who can see what the path of ${operation} names.')
    },
  }`
    : ''
  return `import { ${camel} } from '${contractModule}'
import { implement } from '${call.startsWith('.') ? call : `./${call}`}'

export const ${handler} = implement(
  ${camel},
  async function ${camel}() {
    throw new Error('${operation} is not carried out yet.')
  }${visible},
)
`
}

function withSample(text: string, { operation, samplesFile }: OperationNames): string {
  const end = text.lastIndexOf('} satisfies Samples')
  if (end === -1) throw new Error(`${samplesFile} does not end with "} satisfies Samples".`)
  const sample = `  ${operation}: {
    input: () => {
      throw new Error('Write the sample of ${operation}.')
    },
  },\n`
  return text.slice(0, end) + sample + text.slice(end)
}

const testText = ({ operation }: OperationNames) => `import { describe, it } from 'node:test'

describe('${operation}', () => {
  it('answers what its declaration says', () => {
    throw new Error('Ask for ${operation} over HTTP, as its users do.')
  })
})
`
