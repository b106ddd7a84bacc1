import { cellOf } from './cell.ts'
import { padTo, widthOf } from './width.ts'

/** The values of an object, each under the way to it: `metric.target`, `methods[0].kind`. */
function flattened(value: unknown, path = ''): [string, string][] {
  if (Array.isArray(value) && value.some(isObject))
    return value.flatMap((item, at) => flattened(item, `${path}[${at}]`))
  if (!isObject(value)) return [[path, cellOf(value)]]
  const entries = Object.entries(value)
  if (entries.length === 0) return [[path, '']]
  return entries.flatMap(([name, inner]) =>
    flattened(inner, path === '' ? cellOf(name) : `${path}.${cellOf(name)}`),
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The lines of an object: for a terminal aligned, without what is empty; for programs with a tab, and complete. */
export function detailLines(
  value: unknown,
  isTerminal: boolean,
  heading: (text: string) => string,
): string[] {
  const entries = flattened(value)
  if (!isTerminal) return entries.map(([path, text]) => `${path}\t${text}`)
  const shown = entries.filter(([, text]) => text !== '')
  const width = Math.min(32, Math.max(0, ...shown.map(([path]) => widthOf(path))))
  return shown.map(([path, text]) => `${heading(padTo(`${path}:`, width + 1))}  ${text}`)
}
