import { inexactNumber, inexactNumbers, isExact } from '@wbs/contract/json/exact-numbers'
import { nearest } from '@wbs/contract/nearest'
import type { Parameter, ParameterKind, PlainSchema } from '../command/parameters.ts'

/** A text of the command line is not a value of the parameter. The message says what would be right. */
export class WrongValue extends Error {
  /** What was probably meant. */
  readonly suggestion: string | undefined

  constructor(message: string, suggestion?: string) {
    super(message)
    this.suggestion = suggestion
  }
}

/** The value of a parameter from the texts that its flag was given. `null` is null where the parameter may be. Throws WrongValue. */
export function readValue(parameter: Parameter, given: readonly string[]): unknown {
  const { kind, schema, isNullable } = parameter
  const last = given.at(-1) as string
  if (isNullable && given.length === 1 && last === 'null') return null
  if (kind === 'list') return readList(parameter, given)
  return readOne(kind, schema, last)
}

/** The items of a list: of each text, separated by commas, unless an item may itself have one. */
function readList({ items, schema }: Parameter, given: readonly string[]): unknown[] {
  const { kind, schema: item } = items ?? { kind: 'text' as const, schema: {} }
  const texts = given.flatMap(text => (splitsAtCommas(schema) ? text.split(',') : [text]))
  const some = texts.map(text => text.trim()).filter((text, _, all) => text !== '' || all.length > 1)
  return some.map(text => readOne(kind, item, text))
}

/** A list of free texts, such as tags, is given by repeating the flag. */
export function splitsAtCommas({ items }: PlainSchema): boolean {
  const { type, enum: choices, format, pattern } = items ?? {}
  if (type !== 'string' || choices !== undefined || format !== undefined) return true
  return pattern === undefined ? false : !new RegExp(pattern, 'u').test('a,b')
}

function readOne(kind: ParameterKind, schema: PlainSchema, text: string): unknown {
  switch (kind) {
    case 'integer':
    case 'number':
      return readNumber(kind, text)
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true'
      throw new WrongValue('It must be true or false.')
    case 'json':
      return readJson(text)
    default:
      return readText(schema, text)
  }
}

function readNumber(kind: 'integer' | 'number', text: string): number {
  const pattern = kind === 'integer' ? /^-?\d+$/ : /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
  if (!pattern.test(text))
    throw new WrongValue(
      `It must be ${kind === 'integer' ? 'a whole number, such as 3' : 'a number, such as 2.5'}.`,
    )
  if (!isExact(text)) throw new WrongValue(inexactNumber)
  return Number(text)
}

function readJson(text: string): unknown {
  const value = parseJson(text)
  const [pointer] = inexactNumbers(text, 1)
  if (pointer === undefined) return value
  throw new WrongValue(pointer === '' ? inexactNumber : `At ${pointer}: ${inexactNumber}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongValue(`It must be JSON, such as '{"key": "value"}'.`)
  }
}

function readText({ enum: choices }: PlainSchema, text: string): string {
  if (!choices || choices.includes(text)) return text
  const known = choices.filter(choice => typeof choice === 'string')
  const meant = nearest(text, known)
  throw new WrongValue(`It must be ${orList(known)}.`, meant)
}

/** A list of alternatives; a long one is cut. */
export function orList(values: readonly string[]): string {
  const shown = values.length > 12 ? [...values.slice(0, 11), `one of ${values.length - 11} others`] : values
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}
