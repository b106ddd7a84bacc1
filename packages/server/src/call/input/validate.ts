import addFormats from 'ajv-formats'
import { inputParts, takesBody, type Operation, type InputRule } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'
import { decodeQuery, withoutDuplicates, type SchemaNode } from './decode-query.ts'

import { referenced, withComponents } from '@wbs/contract/schema'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TProperties } from 'typebox'
import { T } from '@wbs/contract/json/type'
import { inputErrors } from './input-errors.ts'
import { isDay, parseTimestamp } from './timestamp.ts'

/** The input of an operation as a transport received it: path and query as text, the body parsed. */
export interface RawInput {
  path: Readonly<Record<string, string>>
  query: ReadonlyMap<string, readonly string[]>
  /** undefined if no body was sent. */
  body: unknown
}

/** Validates input against the declaration of an operation, and merges all parameters into one object. */
export type Validator = (raw: RawInput) => { input: Record<string, unknown>; errors: InputError[] }

/** The validator of an operation. A process has one, however many services it runs. */
export function validatorOf(op: Operation): Validator {
  const validator = made.get(op) ?? createValidator(op)
  made.set(op, validator)
  return validator
}

const made = new WeakMap<Operation, Validator>()

function createValidator(op: Operation): Validator {
  const parts = inputParts(op)
  const path = partValidator('path', parts.path)
  const query = partValidator('query', parts.query)
  const body = takesBody(op) ? partValidator('body', parts.body) : undefined
  const rest = body ? 'body' : 'query'
  const placeOf = (name: string) => (Object.hasOwn(parts.path, name) ? 'path' : rest)

  return raw => {
    const inPath = canonicalAll(parts.path, raw.path)
    const decoded = raw.query.size > 0 ? decodeQuery(parts.query, raw.query) : noQuery
    const inQuery = canonicalAll(parts.query, decoded.values)
    const given = raw.body === null ? ofNull(op) : raw.body
    const inBody = body && isObject(given) ? canonicalAll(parts.body, given) : given
    const others = body ? (isObject(inBody) ? inBody : {}) : withoutDuplicates(inQuery)
    const errors = [
      ...path(inPath),
      ...decoded.errors,
      ...query(inQuery),
      ...(body ? bodyErrors(body, inBody) : []),
      ...brokenRules(op.rules ?? [], name => Object.hasOwn(others, name), rest),
    ]
    if (errors.length > 0) return { input: {}, errors: firstOfEachPlace(errors) }
    const input = { ...inPath, ...others }
    // Walks the whole input, so it runs only once the schema has bounded its size.
    return { input, errors: unstorableText(input, placeOf) }
  }
}

const noQuery: ReturnType<typeof decodeQuery> = { values: {}, errors: [] }

/** What a body of null stands for. */
const ofNull = (op: Operation): unknown =>
  op.kind === 'mutation' && op.null_body !== undefined ? { [op.null_body]: true } : null

function bodyErrors(validate: PartValidator, body: unknown): InputError[] {
  if (body !== undefined) return validate(body)
  return [{ in: 'body', pointer: '', code: 'required', detail: 'A JSON body is required.' }]
}

/** Keeps the first error of each location, which is the most basic one. */
function firstOfEachPlace(errors: readonly InputError[]): InputError[] {
  const told = new Map<string, InputError>()
  for (const error of errors) {
    const place = `${error.in} ${error.pointer}`
    if (!told.has(place)) told.set(place, error)
  }
  return [...told.values()]
}

/** Validates one part of an input: its path parameters, its query or its body. */
export type PartValidator = (value: unknown) => InputError[]

function schemaChecker(options: { allErrors: boolean }): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    verbose: true,
    strict: true,
    strictTypes: false,
    coerceTypes: false,
    ownProperties: true,
    discriminator: true,
    keywords: ['x-trimmed', 'x-repeatable', 'x-values'],
  })
  ;(addFormats as unknown as (ajv: Ajv2020, formats: string[]) => void)(ajv, ['uri'])
  ajv.addFormat('date-time', text => parseTimestamp(text) !== null)
  ajv.addFormat('date', isDay)
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
  ajv.addVocabulary(['components'])
  return ajv
}

const firstError = schemaChecker({ allErrors: false })
const allErrors = schemaChecker({ allErrors: true })

/** Builds the validator of a part from its declared parameters. Undeclared parameters are errors. */
export function partValidator(place: InputError['in'], properties: TProperties): PartValidator {
  const schema = T.Object(properties, { additionalProperties: false })
  let whole: object | undefined
  let valid: ValidateFunction | undefined
  let explain: ValidateFunction | undefined
  return value => {
    // Compiled on first use, so that operations that are never called cost nothing.
    valid ??= firstError.compile((whole ??= withComponents(schema)))
    if (valid(value)) return []
    if (hasManyValues(value)) return inputErrors(place, valid.errors ?? [], schema)
    explain ??= allErrors.compile((whole ??= withComponents(schema)))
    explain(value)
    return inputErrors(place, explain.errors ?? [], schema)
  }
}

const manyValues = 2_000

/** Whether a value is so large that only its first error is reported: a list of a million wrong items has a million errors. */
function hasManyValues(value: unknown): boolean {
  const open = [value]
  for (let seen = 0; open.length > 0; seen++) {
    if (seen > manyValues) return true
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next) && next.length > manyValues) return true
    open.push(...Object.values(next))
  }
  return false
}

/** Checks the rules between parameters. */
function brokenRules(
  rules: readonly InputRule[],
  isGiven: (name: string) => boolean,
  place: 'body' | 'query',
): InputError[] {
  return rules.flatMap(rule => {
    if (rule.rule === 'exclusive') return bothGiven(rule.fields, isGiven, place)
    return rule.rule === 'requires'
      ? missingCompanion(rule, isGiven, place)
      : noneGiven(rule.fields, isGiven, place)
  })
}

function noneGiven(
  fields: readonly string[],
  isGiven: (name: string) => boolean,
  place: 'body' | 'query',
): InputError[] {
  if (fields.some(isGiven)) return []
  const detail = `Send at least one of ${fields.join(', ')}.`
  return [{ in: place, pointer: '', code: 'required', detail, suggestion: fields[0] as string }]
}

function bothGiven(
  [first, second]: readonly [string, string],
  isGiven: (name: string) => boolean,
  place: 'body' | 'query',
): InputError[] {
  if (!isGiven(first) || !isGiven(second)) return []
  const detail = `Send only one of ${first} and ${second}.`
  return [{ in: place, pointer: `/${second}`, code: 'conflict', detail, suggestion: first }]
}

function missingCompanion(
  { field, needs }: { field: string; needs: string },
  isGiven: (name: string) => boolean,
  place: 'body' | 'query',
): InputError[] {
  if (!isGiven(field) || isGiven(needs)) return []
  const detail = `${field} requires ${needs}.`
  return [{ in: place, pointer: `/${field}`, code: 'requires', detail, suggestion: needs }]
}

/** Finds text that PostgreSQL cannot store: U+0000, or an unpaired surrogate, which would become another character. */
export function unstorableText(
  input: Readonly<Record<string, unknown>>,
  placeOf: (name: string) => InputError['in'],
): InputError[] {
  const errors: InputError[] = []
  const walk = (value: unknown, name: string, pointer: string): void => {
    if (typeof value === 'string') {
      if (value.isWellFormed() && !value.includes('\u0000')) return
      const detail = 'The text has U+0000 or an unpaired surrogate, which cannot be stored.'
      errors.push({ in: placeOf(name), pointer, code: 'format', detail })
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) walk(key, name, pointer)
        walk(inner, name, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      }
    }
  }
  for (const [name, value] of Object.entries(input)) walk(value, name, `/${name}`)
  return errors
}

/**
 * Brings a value into canonical form before it is validated: trimmed if so declared, UUIDs in lower case, timestamps in
 * UTC with milliseconds. An invalid value stays as it is, for validation to refuse.
 */
function canonical(schema: SchemaNode, value: unknown): unknown {
  const isPlain = schema.$ref === undefined && schema.anyOf === undefined && schema.oneOf === undefined
  const node = isPlain ? schema : variantOf(resolved(schema), value)
  const { format, items, properties, 'x-trimmed': isTrimmed } = node
  if (typeof value === 'string') {
    if (isTrimmed) return value.trim()
    if (format === 'date-time') return parseTimestamp(value)?.toISOString() ?? value
    return format === 'uuid' ? value.toLowerCase() : value
  }
  if (Array.isArray(value)) return items ? value.map(item => canonical(items, item)) : value
  return properties && isObject(value) ? canonicalAll(properties, value) : value
}

/** Applies `canonical` to each declared property. Copies the object only if something changes. */
export function canonicalAll<Values extends Readonly<Record<string, unknown>>>(
  properties: object,
  values: Values,
): Values {
  let changed: Record<string, unknown> | undefined
  for (const [name, schema] of Object.entries(properties as Record<string, SchemaNode>)) {
    const value = Object.hasOwn(values, name) ? canonical(schema, values[name]) : undefined
    if (value !== undefined && value !== values[name]) (changed ??= {})[name] = value
  }
  return changed ? { ...values, ...changed } : values
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of a tagged union, the variant that the value names; else the schema itself. */
function variantOf(schema: SchemaNode, value: unknown): SchemaNode {
  const tag = schema.discriminator?.propertyName
  if (tag === undefined || !isObject(value)) return schema
  return (
    (schema.oneOf ?? [])
      .map(resolved)
      .find(variant => variant.properties?.[tag]?.enum?.includes(value[tag])) ?? schema
  )
}

/** Resolves a reference, or a schema that may also be null. */
function resolved(schema: SchemaNode): SchemaNode {
  if (schema.$ref !== undefined) return referenced(schema)
  const [only, another] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return only && !another ? resolved(only) : schema
}
