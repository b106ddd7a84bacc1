import { components } from '@wbs/contract/schema'
import { parseTimestamp } from './timestamp.ts'

/** What of a schema says how a value is read, before it is judged. */
export interface SchemaNode {
  type?: string | readonly string[]
  format?: string
  items?: SchemaNode
  properties?: Record<string, SchemaNode>
  anyOf?: readonly SchemaNode[]
  $ref?: string
  'x-trimmed'?: boolean
  'x-repeatable'?: boolean
}

/**
 * Puts text into the form in which it is judged and kept: trimmed where so declared, UUIDs in lower case, moments as UTC
 * writes them to the millisecond. What is none stays as it is, to be refused.
 */
export function canonical(schema: SchemaNode, value: unknown): unknown {
  const { format, items, properties, 'x-trimmed': isTrimmed } = resolved(schema)
  if (typeof value === 'string') {
    if (isTrimmed) return value.trim()
    if (format === 'date-time') return parseTimestamp(value)?.toISOString() ?? value
    return format === 'uuid' ? value.toLowerCase() : value
  }
  if (Array.isArray(value)) return items ? value.map(item => canonical(items, item)) : value
  return properties && isObject(value) ? canonicalAll(properties, value) : value
}

/** The same for each declared property; others stay as they are, to be refused. Gives a copy only where something changes. */
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

/** The schema itself, whether it is referred to by its name, or may be null instead. */
function resolved(schema: SchemaNode): SchemaNode {
  if (schema.$ref !== undefined)
    return components.get(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)) ?? schema
  const [only, another] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return only && !another ? resolved(only) : schema
}
