import { components } from '@wbs/contract/schema'
import { inputParts, takesBody, type InputRule, type Operation } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Type as T, type TProperties } from 'typebox'
import { inputErrors } from './input-errors.ts'

/** An operation's input as a door found it: path and query still text, the body parsed. */
export interface RawInput {
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, readonly string[]>
  /** undefined where no body was sent. */
  body: unknown
}

/** Checks input against what an operation declares: gives all parameters in one object, and says what is wrong with them. */
export type Validator = (raw: RawInput) => { input: Record<string, unknown>; errors: InputError[] }

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: true,
  strictTypes: false,
  coerceTypes: false,
  ownProperties: true,
  keywords: ['x-trimmed', 'x-repeatable', 'x-values'],
})
;(addFormats as unknown as (ajv: Ajv2020, formats: string[]) => void)(ajv, ['date-time', 'date', 'uri'])
ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
ajv.addVocabulary(['components'])

export function createValidator(op: Operation): Validator {
  const parts = inputParts(op)
  const path = partValidator('path', parts.path)
  const query = partValidator('query', parts.query)
  const body = takesBody(op) ? partValidator('body', parts.body) : null

  return raw => {
    const decoded = decodeQuery(parts.query, raw.query)
    const found = { ...raw.path, ...decoded.values }
    const given = isObject(raw.body) ? trimmed(parts.body, raw.body) : raw.body
    const errors = [
      ...path(raw.path),
      ...decoded.errors,
      ...query(decoded.values).filter(
        error => !decoded.errors.some(other => other.pointer === error.pointer),
      ),
      ...(body ? (given === undefined ? [noBody] : body(given)) : []),
    ]
    const input = { ...found, ...(isObject(given) && body ? given : {}) }
    errors.push(...brokenRules(op.rules ?? [], input, takesBody(op) ? 'body' : 'query'))
    const told = new Set(errors.map(error => error.pointer))
    errors.push(...unstorableText(op, parts.path, input).filter(error => !told.has(error.pointer)))
    return { input, errors }
  }
}

const noBody: InputError = { in: 'body', pointer: '', code: 'required', detail: 'A JSON body is required.' }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function partValidator(place: InputError['in'], properties: TProperties): (value: unknown) => InputError[] {
  const schema = T.Object(properties, { additionalProperties: false })
  let validate: ValidateFunction | undefined
  return value => {
    // Compiled at first use: an operation that is never called costs nothing.
    validate ??= ajv.compile({ ...schema, components: { schemas: Object.fromEntries(components) } })
    return validate(value) ? [] : inputErrors(place, validate.errors ?? [], schema)
  }
}

/** Gives query parameters the types they are declared with. What is empty, or repeated without being a list, is refused. */
function decodeQuery(
  properties: TProperties,
  query: ReadonlyMap<string, readonly string[]>,
): { values: Record<string, unknown>; errors: InputError[] } {
  const values: Record<string, unknown> = {}
  const errors: InputError[] = []
  for (const [name, given] of query) {
    const at = { in: 'query', pointer: `/${name}` } as const
    const schema = Object.hasOwn(properties, name) ? (properties[name] as Record<string, unknown>) : undefined
    if (!schema) values[name] = given[0]
    else if (given.some(text => text === ''))
      errors.push({ ...at, code: 'too_short', detail: `${name} is empty; leave it out, or give a value.` })
    else if (given.length > 1 && schema['x-repeatable'] !== true)
      errors.push({ ...at, code: 'conflict', detail: `${name} may be given once only.` })
    else values[name] = decoded(schema, given)
  }
  return { values, errors }
}

function decoded(schema: Record<string, unknown>, given: readonly string[]): unknown {
  const [text = ''] = given
  if (schema.type === 'array') return [...new Set(given.flatMap(part => part.split(',')))]
  if (schema.type === 'integer') return /^(?:0|-?[1-9][0-9]{0,14})$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return schema['x-trimmed'] === true ? text.trim() : text
}

function trimmed(properties: TProperties, body: Record<string, unknown>): Record<string, unknown> {
  const out = { ...body }
  for (const [name, schema] of Object.entries(properties)) {
    const value = out[name]
    if ((schema as Record<string, unknown>)['x-trimmed'] === true && typeof value === 'string')
      out[name] = value.trim()
  }
  return out
}

function brokenRules(
  rules: readonly InputRule[],
  input: Record<string, unknown>,
  place: 'body' | 'query',
): InputError[] {
  const errors: InputError[] = []
  for (const rule of rules) {
    if (rule.rule === 'exclusive') {
      const [first, second] = rule.fields
      if (first in input && second in input)
        errors.push({
          in: place,
          pointer: `/${second}`,
          code: 'conflict',
          detail: `${first} and ${second} cannot both be given.`,
          suggestion: first,
        })
    } else if (rule.field in input && !(rule.needs in input)) {
      errors.push({
        in: place,
        pointer: `/${rule.field}`,
        code: 'requires',
        detail: `${rule.field} can only be given with ${rule.needs}.`,
        suggestion: rule.needs,
      })
    }
  }
  return errors
}

/** PostgreSQL cannot store U+0000, and half a surrogate pair would be stored as another character. */
function unstorableText(op: Operation, path: TProperties, input: Record<string, unknown>): InputError[] {
  const errors: InputError[] = []
  const walk = (value: unknown, place: InputError['in'], pointer: string): void => {
    if (typeof value === 'string') {
      if (!value.isWellFormed() || value.includes('\u0000'))
        errors.push({
          in: place,
          pointer,
          code: 'format',
          detail: 'The text holds U+0000 or half a surrogate pair, which cannot be stored.',
        })
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        walk(key, place, pointer)
        walk(inner, place, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      }
    }
  }
  for (const [name, value] of Object.entries(input))
    walk(value, name in path ? 'path' : takesBody(op) ? 'body' : 'query', `/${name}`)
  return errors
}
