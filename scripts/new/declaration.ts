import { parseSync, Visitor } from 'oxc-parser'
import type { OperationNames } from './names.ts'

/** The properties that a new operation copies from another one of its noun. */
const kept = new Set([
  'tag',
  'audience',
  'guests',
  'scope',
  'receipt',
  'output',
  'status',
  'tagged',
  'problems',
])

/** The text of a declaration, and whether its path names a resource. */
export interface Declaration {
  text: string
  namesThings: boolean
}

/**
 * A declaration with the shared parts, audience, scope and path of the last one of its kind in the file. Throws if the file
 * declares the operation already, or has no declaration of that kind.
 */
export function declarationLike(
  source: string,
  kind: 'query' | 'mutation',
  { operation, camel, contractFile }: OperationNames,
): Declaration {
  if (source.includes(`'${operation}'`)) throw new Error(`${contractFile} declares ${operation} already.`)
  const sibling = lastOf(source, kind)
  if (!sibling) throw new Error(`${contractFile} declares no ${kind} yet: write this one by hand.`)
  const path = `${pathWithIds(sibling.path)}${kind === 'query' ? '' : `/${operation.split('_')[0]}`}`
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1] ?? '')
  const input = ids.map(id => `${id}: ${schemaOf(source, id)}`).join(', ')
  const fields = [
    ...sibling.fields.filter(({ name }) => name === '...' || kept.has(name)).map(({ text }) => text),
    `http: '${kind === 'query' ? 'GET' : 'POST'} ${path}'`,
    `summary: 'Say what it does.'`,
    `input: { ${input} }`,
    ...(kind === 'mutation' ? ['emits: []'] : []),
  ]
  return {
    text: `\nexport const ${camel} = ${kind}('${operation}', {\n${fields.map(field => `  ${field},\n`).join('')}})\n`,
    namesThings: ids.some(id => id !== 'workspace_id'),
  }
}

interface Sibling {
  path: string
  fields: { name: string; text: string }[]
}

function lastOf(source: string, kind: string): Sibling | undefined {
  let last: Sibling | undefined
  new Visitor({
    CallExpression({ callee, arguments: [, declared] }) {
      if (callee.type !== 'Identifier' || callee.name !== kind || declared?.type !== 'ObjectExpression')
        return
      const fields = declared.properties.map(property => ({
        name: property.type === 'SpreadElement' ? '...' : source.slice(property.key.start, property.key.end),
        text: source.slice(property.start, property.end),
      }))
      const http = fields.find(({ name }) => name === 'http')?.text ?? ''
      last = { path: /\/[^']*/.exec(http)?.[0] ?? '', fields }
    },
  }).visit(parseSync('contract.ts', source).program)
  return last
}

/** A path up to its last id, or the whole path if it has none. */
const pathWithIds = (path: string) => /^.*\}/.exec(path)?.[0] ?? path

/** The schema that another declaration of the file has for an id. */
const schemaOf = (source: string, id: string) =>
  new RegExp(`\\b${id}: (\\w+(?:\\([^)]*\\))?)`).exec(source)?.[1] ?? 'uuid()'
