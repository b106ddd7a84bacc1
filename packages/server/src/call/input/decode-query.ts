import type { InputError } from '@wbs/contract/problems'
import type { TProperties } from 'typebox'

/** The part of a schema that decoding and canonical form depend on. */
export interface SchemaNode {
  type?: string | readonly string[]
  format?: string
  items?: SchemaNode
  properties?: Record<string, SchemaNode>
  anyOf?: readonly SchemaNode[]
  oneOf?: readonly SchemaNode[]
  discriminator?: { propertyName: string }
  enum?: readonly unknown[]
  $ref?: string
  'x-trimmed'?: boolean
  'x-repeatable'?: boolean
}

/** Converts query parameters to their declared types. Empty parameters, and repeated ones that are not lists, are errors. */
export function decodeQuery(
  properties: TProperties,
  query: ReadonlyMap<string, readonly string[]>,
): { values: Record<string, unknown>; errors: InputError[] } {
  const schemas = new Map<string, SchemaNode>(Object.entries(properties))
  // Without a prototype: on a plain object, the parameter __proto__ would be lost instead of refused.
  const values = Object.create(null) as Record<string, unknown>
  const errors: InputError[] = []
  for (const [name, given] of query) {
    const at = { in: 'query', pointer: `/${name}` } as const
    const schema = schemas.get(name)
    if (!schema) values[name] = given[0]
    else if (given.includes(''))
      errors.push({ ...at, code: 'too_short', detail: `${name} is empty. Send a value, or omit it.` })
    else if (given.length > 1 && !schema['x-repeatable'])
      errors.push({ ...at, code: 'conflict', detail: `${name} must not be repeated.` })
    else values[name] = decoded(schema, given)
  }
  return { values, errors }
}

/** Removes duplicates from lists. Called after validation, which counts the items and reports their positions. */
export const withoutDuplicates = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? [...new Set(value)] : value]),
  )

/** A value that does not parse as its type stays text, for validation to refuse. */
function decoded(schema: SchemaNode, given: readonly string[]): unknown {
  const [text = ''] = given
  if (schema.type === 'array') return given.flatMap(part => part.split(','))
  if (schema.type === 'integer') return /^(?:0|-?[1-9][0-9]{0,14})$/.test(text) ? Number(text) : text
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return schema.format === 'date-time' ? withItsPlus(text) : text
}

/** A + that was not percent-encoded is decoded as a space. */
const withItsPlus = (text: string) => text.replace(/^(.{10}[T ][0-9:.]+) (?=[0-9]{2}:[0-9]{2}$)/i, '$1+')
