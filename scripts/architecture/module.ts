import { posix } from 'node:path'
import { parseSync, Visitor, type ParseResult } from 'oxc-parser'
import { hardToRead, type HardToRead } from './english.ts'
import { stepsIn, type Step } from './one-path.ts'
import { waitsIn } from './waits.ts'

/** A source file, as far as the rules depend on it. */
export interface Module {
  /** Relative to the root of the project, with slashes. */
  path: string
  lines: number
  imports: readonly Import[]
  /** The lines that read the environment, other than passing all of it to readConfig. */
  environment: readonly number[]
  /** The lines that read the clock. */
  clock: readonly number[]
  /** The lines of functions with a transaction that use a part which is not PostgreSQL, and may take long. */
  waits: readonly number[]
  /** What only the path of every operation does. */
  steps: readonly Step[]
  /** Wordings of comments, and names, that are hard to read. */
  hardToRead: readonly HardToRead[]
  /** It only re-exports. */
  isBarrel: boolean
}

/** An import of another file of the project. Packages are not followed. */
export interface Import {
  target: string
  line: number
  names: readonly string[]
  /** A type import, which is erased at run time. */
  isType: boolean
}

type Program = ParseResult['program']
type LineOf = (offset: number) => number

/** Parses a file. Throws if it is not TypeScript. */
export function readModule(path: string, text: string): Module {
  const parsed = parseSync(path, text)
  const { program, errors } = parsed
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  return {
    path,
    lines: text.trimEnd().split('\n').length,
    imports: importsOf(program, path, lineOf),
    environment: environmentOf(program, lineOf),
    clock: clockOf(program, lineOf),
    waits: waitsIn(program, lineOf),
    steps: stepsIn(program, lineOf),
    hardToRead: hardToRead(parsed, lineOf),
    isBarrel: program.body.length > 0 && program.body.every(passesOn),
  }
}

function importsOf(program: Program, path: string, lineOf: LineOf): Import[] {
  const imports: Import[] = []
  const add = (
    source: { value?: unknown; start: number } | null,
    names: readonly string[],
    isType: boolean,
  ) => {
    const target = typeof source?.value === 'string' ? resolve(path, source.value) : undefined
    if (source && target !== undefined) imports.push({ target, line: lineOf(source.start), names, isType })
  }
  new Visitor({
    ImportDeclaration: ({ source, specifiers, importKind }) =>
      add(
        source,
        specifiers.map(importedName),
        importKind === 'type' || (specifiers.length > 0 && specifiers.every(isTypeSpecifier)),
      ),
    ExportNamedDeclaration: ({ source, exportKind }) => add(source, ['*'], exportKind === 'type'),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, ['*'], exportKind === 'type'),
    ImportExpression: ({ source }) => add('value' in source ? source : null, ['*'], false),
    TSImportType: ({ source, qualifier }) =>
      add(source, [qualifier?.type === 'Identifier' ? qualifier.name : '*'], true),
  }).visit(program)
  return imports
}

type Specifier = { type: string; imported?: object; importKind?: string }

function importedName({ type, imported }: Specifier): string {
  if (imported === undefined) return type === 'ImportNamespaceSpecifier' ? '*' : 'default'
  return 'name' in imported ? String(imported.name) : '*'
}

const isTypeSpecifier = ({ importKind }: Specifier) => importKind === 'type'

/** The file that a specifier names, relative to the root of the project; undefined for an external package. */
function resolve(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(importer), specifier)
  const [, name, file = 'index'] = /^@wbs\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? []
  return name === undefined ? undefined : `packages/${name}/src/${file}.ts`
}

/** Finds reads of `process.env`, by this name or destructured from `process`. */
function environmentOf(program: Program, lineOf: LineOf): number[] {
  const lines = new Set<number>()
  const handedOver = new Set<number>()
  new Visitor({
    CallExpression: ({ callee, arguments: given }) => {
      if (isNamed(callee, 'readConfig')) for (const { start } of given) handedOver.add(start)
    },
    MemberExpression: ({ object, property, start }) => {
      if (isNamed(object, 'process') && isNamed(property, 'env') && !handedOver.has(start))
        lines.add(lineOf(start))
    },
    VariableDeclarator: ({ init, start }) => {
      if (init && isNamed(init, 'process')) lines.add(lineOf(start))
    },
    ImportDeclaration: ({ source, specifiers, start }) => {
      if (/^(?:node:)?process$/.test(source.value) && specifiers.map(importedName).includes('env'))
        lines.add(lineOf(start))
    },
  }).visit(program)
  return [...lines]
}

/** The lines that read the clock: `new Date()` and `Date.now()`. */
function clockOf(program: Program, lineOf: LineOf): number[] {
  const lines: number[] = []
  new Visitor({
    NewExpression: ({ callee, arguments: given, start }) => {
      if (isNamed(callee, 'Date') && given.length === 0) lines.push(lineOf(start))
    },
    MemberExpression: ({ object, property, start }) => {
      if (isNamed(object, 'Date') && isNamed(property, 'now')) lines.push(lineOf(start))
    },
  }).visit(program)
  return lines
}

const isNamed = (node: object, name: string) => 'name' in node && node.name === name

/** A statement that re-exports another file. */
const passesOn = (statement: { type: string; source?: unknown }) =>
  statement.type.startsWith('Export') && statement.source !== undefined && statement.source !== null
