import { isDeepStrictEqual } from 'node:util'

/** Replaces a bare `…` in parsed JSON; no answer contains it. */
const rest = '\uE000…'

/** How an answer differs from the JSON in a document, one line each. There may be several values in a row. */
export function jsonDifferences(shown: string, answered: string): string[] {
  const [expected, actual] = [valuesOf(shown), valuesOf(answered)]
  if (expected === null) return ['What the document shows is not JSON, apart from “…”.']
  if (actual === null) return ['The answer is not JSON.']
  if (expected.length !== actual.length)
    return [`The document shows ${expected.length} answers, and there are ${actual.length}.`]
  return expected.flatMap((value, at) =>
    differences(value, actual[at], expected.length === 1 ? '' : `answer ${at + 1}: `),
  )
}

/**
 * How an answer differs from the text in a document. `…` stands for any text within its line, and for any number of
 * lines if it is a line of its own.
 */
export function textDifferences(shown: string, answered: string): string[] {
  const [expected, actual] = [linesOf(shown), linesOf(answered)]
  const pattern = expected.map(line => (line === '…' ? '(?:.*\n)*?' : `${patternOf(line)}\n`)).join('')
  if (new RegExp(`^${pattern}$`, 'u').test(actual.map(line => `${line}\n`).join(''))) return []
  const unlike = expected.filter(
    line => line !== '…' && !actual.some(one => new RegExp(`^${patternOf(line)}$`, 'u').test(one)),
  )
  return unlike.length > 0
    ? unlike.map(line => `No line of the answer is as shown: ${line}`)
    : ['The lines of the answer are not those shown, in their order.']
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map(line => line.trimEnd())
  while (lines.at(-1) === '') lines.pop()
  return lines
}

/** The JSON objects and arrays in a text, with each bare `…` as `rest`; null if there is anything else. */
function valuesOf(text: string): unknown[] | null {
  const values: string[] = []
  const open: string[] = []
  let [value, before] = ['', '']
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|…|[^\s"…]|\s+/gu)) {
    if ('[{'.includes(token)) open.push(token)
    if (']}'.includes(token)) open.pop()
    const member = token === '…' && open.at(-1) === '{' && before !== ':'
    value += token === '…' ? JSON.stringify(rest) + (member ? ':0' : '') : token
    if (token.trim() !== '') before = token
    if (open.length > 0 || !']}'.includes(token)) continue
    values.push(value)
    value = ''
  }
  if (value.trim() !== '') values.push(value)
  try {
    return values.map(one => JSON.parse(one) as unknown)
  } catch {
    return null
  }
}

function differences(shown: unknown, answered: unknown, path: string): string[] {
  if (shown === rest) return []
  if (Array.isArray(shown) && Array.isArray(answered)) return itemDifferences(shown, answered, path)
  if (isObject(shown) && isObject(answered)) return memberDifferences(shown, answered, path)
  if (typeof shown === 'string' && typeof answered === 'string' && shown.includes('…'))
    if (new RegExp(`^${patternOf(shown)}$`, 'su').test(answered)) return []
  if (isDeepStrictEqual(shown, answered)) return []
  return [`${path || 'the answer'}: shown ${brief(shown)}, answered ${brief(answered)}`]
}

/** `…` stands for any number of items. The items between two of them are searched from the last match on. */
function itemDifferences(shown: unknown[], answered: unknown[], path: string): string[] {
  const [first = [], ...others] = runsOf(shown)
  const last = others.pop()
  const least = [first, ...others, last ?? []].flat().length
  if (answered.length < least || (last === undefined && answered.length > least))
    return [
      `${path || 'the answer'}: shown ${last ? 'at least ' : ''}${least} items, answered ${answered.length}`,
    ]
  const runDifferences = (run: unknown[], from: number) =>
    run.flatMap((item, at) => differences(item, answered[from + at], `${path}[${from + at}]`))
  const found = runDifferences(first, 0)
  let from = first.length
  for (const run of others) {
    const end = answered.length - (last?.length ?? 0) - run.length
    while (from <= end && runDifferences(run, from).length > 0) from++
    if (from > end) return [...found, `${path || 'the answer'}: shown ${brief(run)}, answered no such items`]
    from += run.length
  }
  return last ? [...found, ...runDifferences(last, answered.length - last.length)] : found
}

/** The runs of items between the `…` of an array. */
function runsOf(shown: unknown[]): unknown[][] {
  const runs: unknown[][] = [[]]
  for (const item of shown) {
    if (item === rest) runs.push([])
    else runs.at(-1)?.push(item)
  }
  return runs
}

/** `…` stands for any other members. */
function memberDifferences(
  shown: Record<string, unknown>,
  answered: Record<string, unknown>,
  path: string,
): string[] {
  const at = (name: string) => (path === '' || path.endsWith(' ') ? `${path}${name}` : `${path}.${name}`)
  const expected = Object.keys(shown).filter(name => name !== rest)
  const unshown = rest in shown ? [] : Object.keys(answered).filter(name => !(name in shown))
  return [
    ...expected.flatMap(name =>
      name in answered
        ? differences(shown[name], answered[name], at(name))
        : [`${at(name)}: shown ${brief(shown[name])}, not answered`],
    ),
    ...unshown.map(name => `${at(name)}: answered ${brief(answered[name])}, not shown`),
  ]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `…` stands for at least one character. */
const patternOf = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.+')

function brief(value: unknown): string {
  const text = (JSON.stringify(value) ?? 'nothing')
    .replaceAll(`"${rest}":0`, '…')
    .replaceAll(`"${rest}"`, '…')
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
