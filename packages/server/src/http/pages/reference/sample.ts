import { schemaNameOf, type ApiDocument, type Schema } from './document.ts'

/** The variable of the shell that holds a value which only the reader knows. */
export const variable = (name: string): string => `$${name.toUpperCase()}`

/** A value that the schema accepts: its example, or a variable if only the reader can know it. */
export function sample(name: string, schema: Schema, document: ApiDocument): unknown {
  if (schema.$ref !== undefined)
    return sample(name, document.components.schemas[schemaNameOf(schema.$ref)] ?? {}, document)
  if (schema.anyOf?.[0]) return sample(name, schema.anyOf[0], document)
  const given = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0] ?? schema['x-values']?.[0]
  if (given !== undefined) return given
  switch ([schema.type ?? []].flat()[0]) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return [sample(name, schema.items ?? {}, document)]
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map(key => [key, sample(key, schema.properties?.[key] ?? {}, document)]),
      )
    default:
      return ofFormat[schema.format ?? ''] ?? variable(name)
  }
}

const ofFormat: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
}
