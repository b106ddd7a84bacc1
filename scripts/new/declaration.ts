import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** The file of the declarations with a new one, and whether its path names a resource. */
export interface Declaration {
  text: string
  namesThings: boolean
}

/**
 * The file with a new declaration. It has the shared parts, audience and scope of the last mutation in the file, or of the first
 * query, if possible with the same verb, and a path like it that is not among the routes. Throws if the file declares the
 * operation already, or has no declaration of that kind, or if all such paths are taken.
 */
export function withDeclaration(
  source: string,
  kind: 'query' | 'mutation',
  { operation, camel, contractFile }: OperationNames,
  routes: readonly string[],
): Declaration {
  if (source.includes(`'${operation}'`)) throw new Error(`${contractFile} declares ${operation} already.`)
  const siblings = declaredIn(source, kind)
  const sibling =
    kind === 'mutation'
      ? siblings.at(-1)
      : (siblings.find(({ verb }) => verb === verbOf(operation)) ?? siblings[0])
  if (!sibling) throw new Error(`${contractFile} declares no ${kind} yet: write this one by hand.`)
  const http = freeRoute(kind, sibling.path, operation, routes)
  const ids = Array.from(http.matchAll(/\{(\w+)\}/g), ([, id = '']) => id)
  const input = ids.map(id => `${id}: ${schemaOf(source, id)}`).join(', ')
  const fields = [
    ...sibling.fields
      .filter(({ name }) => name === '...' || kept.has(name))
      .map(({ text }) =>
        verbOf(operation) === 'get' ? text.replace(/^output: listOf\((.*)\)$/, 'output: { data: $1 }') : text,
      ),
    `http: '${http}'`,
    `summary: 'Say what it does.'`,
    `input: { ${input} }`,
    ...(kind === 'mutation' ? ['emits: []'] : []),
  ]
  const declared = `\nexport const ${camel} = ${kind}('${operation}', {\n${fields.map(field => `  ${field},\n`).join('')}})\n`
  return {
    text: (input.includes(' uuid(') ? withUuid(source) : source) + declared,
    namesThings: ids.some(id => id !== 'workspace_id'),
  }
}

/** The method and the path of every operation. */
export const routesIn = (root: string): string[] =>
  globSync('packages/contract/src/**/*.ts', { cwd: root }).flatMap(file =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(/ http: '([^']+)'/g), ([, http = '']) => http),
  )

const verbOf = (operation: string) => operation.split('_')[0] ?? ''

/** The first method and path that no operation has. */
function freeRoute(kind: string, sibling: string, operation: string, routes: readonly string[]): string {
  const wanted = kind === 'query' ? queryPaths(sibling, operation) : changePaths(sibling, operation)
  const offered = wanted.map(path => `${kind === 'query' ? 'GET' : 'POST'} ${path}`)
  const taken = new Set(routes.map(withoutNames))
  const free = offered.find(http => !taken.has(withoutNames(http)))
  if (free === undefined)
    throw new Error(
      `Another operation has ${offered.join(', and another one has ')}. Give ${operation} another name, or declare it by hand.`,
    )
  return free
}

/** Two paths are the same to the service if only the names of their ids differ. */
const withoutNames = (http: string) => http.replaceAll(/\{\w+\}/g, '{}')

/** `get_pin` has the id of a pin in its path, and `list_pins` has the word. */
function queryPaths(sibling: string, operation: string): string[] {
  const collection = sibling.replace(/\/\{\w+\}$/, '')
  const thing = operation.slice(verbOf(operation).length + 1)
  const below = `/${thing.replaceAll('_', '-')}`
  if (verbOf(operation) === 'get') return [`${collection}/{${thing}_id}`, sibling + below]
  return collection.endsWith(below) ? [collection] : [collection + below]
}

/** A change has its verb in its path, behind the last id, or else its name. */
function changePaths(sibling: string, operation: string): string[] {
  const named = /^.*\}/.exec(sibling)?.[0] ?? sibling
  return [`${named}/${verbOf(operation)}`, `${named}/${operation.replaceAll('_', '-')}`]
}

interface Sibling {
  verb: string
  path: string
  fields: { name: string; text: string }[]
}

/** The operations of a kind that a file declares. */
function declaredIn(source: string, kind: string): Sibling[] {
  const found: Sibling[] = []
  new Visitor({
    CallExpression({ callee, arguments: [name, declared] }) {
      if (callee.type !== 'Identifier' || callee.name !== kind || declared?.type !== 'ObjectExpression')
        return
      const fields = declared.properties.map(property => ({
        name: property.type === 'SpreadElement' ? '...' : source.slice(property.key.start, property.key.end),
        text: source.slice(property.start, property.end),
      }))
      const http = fields.find(field => field.name === 'http')?.text ?? ''
      const verb = verbOf(name?.type === 'Literal' ? String(name.value) : '')
      found.push({ verb, path: /\/[^']*/.exec(http)?.[0] ?? '', fields })
    },
  }).visit(parseSync('contract.ts', source).program)
  return found
}

/** The schema that another declaration of the file has for an id. */
const schemaOf = (source: string, id: string) =>
  new RegExp(`\\b${id}: (\\w+(?:\\([^)]*\\))?)`).exec(source)?.[1] ?? 'uuid()'

/** A file that imports the schema of UUIDs. */
const withUuid = (source: string) =>
  /\buuid\b[^}]*\} from '[./]*\/schema\.ts'/.test(source)
    ? source
    : source.replace(/import \{(\s*)(?=[^}]*\} from '[./]*\/schema\.ts')/, 'import {$1uuid,$1')
