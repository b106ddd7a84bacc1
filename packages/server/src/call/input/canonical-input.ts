import { referenced } from '@wbs/contract/schema'
import { parseTimestamp } from './timestamp.ts'

/** The part of a schema that canonical form depends on. */
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

/**
 * Brings a value into canonical form before it is validated: trimmed if so declared, UUIDs in lower case, timestamps in
 * UTC with milliseconds. An invalid value stays as it is, for validation to refuse.
 */
export function canonical(schema: SchemaNode, value: unknown): unknown {
  const { format, items, properties, 'x-trimmed': isTrimmed } = variantOf(resolved(schema), value)
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
  const changed = Object.entries(properties as Record<string, SchemaNode>)
    .filter(([name]) => Object.hasOwn(values, name))
    .map(([name, schema]) => [name, canonical(schema, values[name])] as const)
    .filter(([name, value]) => value !== values[name])
  return changed.length > 0 ? { ...values, ...Object.fromEntries(changed) } : values
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of a tagged union, the variant that the value names; else the schema itself. */
function variantOf(schema: SchemaNode, value: unknown): SchemaNode {
  const tag = schema.discriminator?.propertyName
  if (tag === undefined || !isObject(value)) return schema
  return (
    (schema.oneOf ?? []).map(resolved).find(one => one.properties?.[tag]?.enum?.includes(value[tag])) ??
    schema
  )
}

/** Resolves a reference, or a schema that may also be null. */
function resolved(schema: SchemaNode): SchemaNode {
  if (schema.$ref !== undefined) return referenced(schema)
  const [only, another] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return only && !another ? resolved(only) : schema
}
