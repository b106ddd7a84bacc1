import { matchesGlob } from 'node:path'
import { Visitor, type ParseResult } from 'oxc-parser'
import type { Finding } from './judge.ts'
import type { Import, Module } from './module.ts'

type Program = ParseResult['program']

/** What only the path of every operation does; a slice that did it too would do it in its own way. */
export interface Step {
  kind: keyof typeof places
  line: number
}

const server = (files: string) => `packages/server/src/${files}`

/** The only files that take a step. So what a test shows of generic code for one operation holds for all. */
const places = {
  route: {
    files: [server('http/{operation-route,bytes/byte-routes}.ts'), server('http/pages/**')],
    message: 'adds a route; http/operation-route.ts adds that of every operation',
  },
  transport: {
    files: [
      server('{http,identity,inspection,limits,mail,plugins,telemetry}/**'),
      server('{app,service}.ts'),
    ],
    message: 'imports a transport; it knows no requests and no headers',
  },
  implementation: {
    files: [server('call/implement.ts')],
    message: 'makes an implementation itself; call `implement`, which checks it against the declaration',
  },
  transaction: {
    files: [
      server('{call,database,quickstart}/**'),
      // Behind URLs that carry their own authority, and in the background: no operation runs there.
      server('files/downloads/open-link.ts'),
      server('files/processing/{sweep-blobs,blob-sweeper,remove-content}.ts'),
      server('valuations/visitors/visitor-sweeper.ts'),
    ],
    message: 'opens a transaction; a handler has one, and a job gets one from SystemChange',
  },
  problem: {
    files: [
      server('{call,http}/**'),
      server('files/downloads/open-link.ts'), // a URL is answered as if it did not exist
      server('files/text-files/create-text-file.ts'), // what `prepare` found is refused by the handler
      server('files/uploads/begin-upload.ts'), // the same
      server('files/file-place.ts'), // whether a place is open
      server('valuations/reading/resolved-again.ts'), // what cannot be resolved any more is left out
    ],
    message: 'catches a problem; let it pass, so that it is answered as declared',
  },
} as const

/** The steps that a file takes. */
export function stepsIn(program: Program, lineOf: (offset: number) => number): Step[] {
  const steps: Step[] = []
  const note = (kind: Step['kind'], start: number) => void steps.push({ kind, line: lineOf(start) })
  new Visitor({
    CallExpression: ({ callee, start }) => {
      if (callee.type !== 'MemberExpression') return
      const name = nameOf(callee.property)
      if (name === 'transaction') note('transaction', start)
      if (adders.has(name) && nameOf(callee.object) === 'server') note('route', start)
    },
    ObjectExpression: ({ properties, start }) => {
      const names = properties.map(property => (property.type === 'Property' ? nameOf(property.key) : ''))
      if (names.includes('operation') && names.includes('handle')) note('implementation', start)
    },
    BinaryExpression: ({ operator, right, start }) => {
      if (operator === 'instanceof' && nameOf(right) === 'Problem') note('problem', start)
    },
    ImportDeclaration: ({ source, start }) => {
      if (transports.has(source.value)) note('transport', start)
    },
  }).visit(program)
  return steps
}

const nameOf = (node: object): string => ('name' in node ? String(node.name) : '')

/** The functions of a server that add a route. */
const adders = new Set(['route', 'get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all'])
/** With these a file could serve requests itself. */
const transports = new Set(['fastify', 'node:http', 'node:http2', 'node:https'])

/** Steps that other files take. */
export const judgeSteps = ({ path, steps }: Module): Finding[] =>
  path.startsWith(server(''))
    ? steps
        .filter(({ kind }) => !places[kind].files.some(files => matchesGlob(path, files)))
        .map(({ kind, line }) => ({ path, line, message: places[kind].message }))
    : []

/** The functions of the path, each with the one file that calls it. */
const calledBy: Readonly<Record<string, string>> = {
  [`${server('http/operation-route.ts')} addOperation`]: server('http/server.ts'),
  [`${server('http/answers/send-answer.ts')} sendAnswer`]: server('http/operation-route.ts'),
  [`${server('call/run.ts')} run`]: server('app.ts'),
  [`${server('call/run-query.ts')} runQuery`]: server('call/run.ts'),
  [`${server('call/run-mutation.ts')} runMutation`]: server('call/run.ts'),
  [`${server('call/run-visitor-mutation.ts')} runVisitorMutation`]: server('call/run.ts'),
  [`${server('call/serialize.ts')} serializerOf`]: server('app.ts'),
}

/** Imports of a function of the path by another file than the one that calls it. */
export const judgeCallers = ({ path, imports }: Module): Finding[] =>
  imports.flatMap(({ target, names, line, isType }: Import) =>
    names
      .map(name => ({ name, caller: calledBy[`${target} ${name}`] }))
      .filter(({ caller }) => caller !== undefined && caller !== path && !isType)
      .map(({ name, caller }) => ({ path, line, message: `calls ${name}, which only ${caller} calls` })),
  )
