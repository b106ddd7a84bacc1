import type { TSchema } from 'typebox'
import { referenced } from '@wbs/contract/schema'
import type { Operation } from '@wbs/contract/operation'
import type { Random } from '../random.ts'

/** What the input of a request is made of. */
export interface Ingredients {
  /** The ids to choose from, by the name of the parameter. */
  ids: Readonly<Record<string, readonly string[]>>
  /** Stands for each free text. */
  text: string
  /** Values that no schema tells. */
  fixed: Readonly<Record<string, unknown>>
}

/** Input for an operation as its declaration describes it. It need not be accepted: the path of a request says. */
export function randomInput(random: Random, operation: Operation, of: Ingredients): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(operation.input)) {
    if (isOptional(schema) && !random.chance(operation.kind === 'query' ? 0.2 : 0.5)) continue
    const value = valueOf(random, name, schema, of)
    if (value !== undefined) input[name] = value
  }
  return input
}

const isOptional = (schema: TSchema) => (schema as { '~optional'?: unknown })['~optional'] !== undefined

function valueOf(random: Random, name: string, given: TSchema, of: Ingredients): unknown {
  const schema = referenced(given as { $ref?: string }) as Record<string, unknown> & TSchema
  if (Object.hasOwn(of.fixed, name)) return of.fixed[name]
  if (Object.hasOwn(of.ids, name)) return random.maybe(of.ids[name] as string[])
  const { anyOf, enum: values, type, items, properties, format, pattern } = schema
  if (Array.isArray(anyOf)) {
    const filled = (anyOf as TSchema[]).filter(one => (one as { type?: string }).type !== 'null')
    return random.chance(0.1) && filled.length < anyOf.length
      ? null
      : valueOf(random, name, random.pick(filled), of)
  }
  if (Array.isArray(values)) return random.pick(values as unknown[])
  if (type === 'array') {
    const single = name.replace(/s$/, '')
    const ids = of.ids[single] ?? of.ids[single.replace(/^evidence_/, '')]
    if (ids) return [...new Set([random.maybe(ids), random.maybe(ids)].filter(one => one !== undefined))]
    return [valueOf(random, single, items as TSchema, of)]
  }
  if (type === 'object')
    return Object.fromEntries(
      Object.entries((properties ?? {}) as Record<string, TSchema>).map(([field, one]) => [
        field,
        valueOf(random, field, one, of),
      ]),
    )
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1
  if (format === 'date-time') return '2027-03-01T00:00:00Z'
  if (format === 'uuid' || (typeof pattern === 'string' && /^\^\w{3}_/.test(pattern))) return undefined
  return of.text
}
