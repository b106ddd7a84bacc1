import type { Type } from 'typebox'

type Schema = Record<string, unknown>

/**
 * The builders of typebox that the contract uses, with its types. They make the same JSON Schema (type.test.ts compares them).
 * typebox itself is not loaded: its 373 modules took more than half of the time in which `wbs` starts.
 */
export const T = {
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Object(properties: Record<string, Schema>, options?: Schema) {
    const required = Object.keys(properties).filter(name => !isOptional(properties[name] as Schema))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Record: ({ pattern = '^.*$' }: Schema, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { [String(pattern)]: value },
    ...options,
  }),
  Partial({ properties }: { properties: Record<string, Schema> }) {
    const all = Object.entries(properties).map(([name, schema]) => [name, optional(schema)])
    return { type: 'object', properties: Object.fromEntries(all) as Record<string, Schema> }
  },
  Optional: optional,
  Unsafe: (schema: Schema) => ({ ...schema }),
} as unknown as Pick<
  typeof Type,
  | 'String'
  | 'Integer'
  | 'Boolean'
  | 'Unknown'
  | 'Array'
  | 'Object'
  | 'Record'
  | 'Partial'
  | 'Optional'
  | 'Unsafe'
>

/** How typebox marks a property that may be left out. The mark is no part of the JSON Schema. */
const mark = '~optional'

/** Whether a property may be left out. */
export const isOptional = (schema: object): boolean => mark in schema

function optional(schema: Schema): Schema {
  return Object.defineProperty({ ...schema }, mark, { value: true })
}
