import type { PluginFault } from '../plugin.ts'
import { pathFault, pointerPart } from './base-url.ts'

type Arguments = Readonly<Record<string, unknown>>

const at = (pointer: string, detail: string): PluginFault => ({ pointer, detail })

/** What is wrong with the arguments {path, query?}. */
export const faultsOfGet = ({ path, query, ...unknown }: Arguments): PluginFault[] => [
  ...faultsOfPath(path),
  ...(query === undefined ? [] : faultsOfQuery(query)),
  ...surplus(unknown, 'path and query'),
]

/** What is wrong with the arguments {path, body}. */
export const faultsOfPost = (args: Arguments): PluginFault[] => {
  const { path, body: _, ...unknown } = args
  return [
    ...faultsOfPath(path),
    ...(Object.hasOwn(args, 'body') ? [] : [at('/body', 'It is required: the JSON to send.')]),
    ...surplus(unknown, 'path and body'),
  ]
}

const surplus = (unknown: Arguments, known: string): PluginFault[] =>
  Object.keys(unknown)
    .slice(0, 20)
    .map(name => at(`/${pointerPart(name)}`, `There is no such argument, only ${known}.`))

function faultsOfPath(path: unknown): PluginFault[] {
  if (typeof path !== 'string') return [at('/path', 'It must be a text: a path below base_url.')]
  if (path.length > 2000) return [at('/path', 'It can have at most 2,000 characters.')]
  const fault = path.startsWith('/') ? pathFault(path) : 'It must begin with a slash.'
  return fault === null ? [] : [at('/path', fault)]
}

const mostParameters = 50

function faultsOfQuery(query: unknown): PluginFault[] {
  if (typeof query !== 'object' || query === null || Array.isArray(query))
    return [at('/query', 'It must be an object with the parameters of the query.')]
  const parameters = Object.entries(query)
  if (parameters.length > mostParameters)
    return [at('/query', `It can have at most ${mostParameters} parameters.`)]
  return parameters.flatMap(([name, value]) => {
    const fault = parameterFault(name, value)
    return fault === null ? [] : [at(`/query/${pointerPart(name)}`, fault)]
  })
}

function parameterFault(name: string, value: unknown): string | null {
  if (name === '' || name.length > 200 || !name.isWellFormed())
    return 'The name of a parameter must have 1 to 200 characters.'
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return null
  if (typeof value !== 'string') return 'It must be a text, a number or a boolean.'
  return value.length <= 2000 && value.isWellFormed() ? null : 'It can have at most 2,000 characters.'
}

/** The path with its query, below the path of the base URL. The arguments are valid. */
export function targetOf(base_url: string, { path, query }: Arguments): string {
  const parameters = Object.entries((query ?? {}) as Record<string, string | number | boolean>)
  const search = new URLSearchParams(
    parameters.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const basePath = new URL(base_url).pathname.replace(/\/+$/, '')
  return `${basePath}${path as string}${search === '' ? '' : `?${search}`}`
}

/** What a call would do, in one line of at most 200 characters. */
export function summaryOf(method: string, { base_url }: Arguments, args: Arguments): string {
  const summary = `${method} ${new URL(String(base_url)).origin}${targetOf(String(base_url), args)}`
  return summary.length <= 200 ? summary : `${summary.slice(0, 199)}…`
}
