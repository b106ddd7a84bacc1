import { idPrefixes } from '@wbs/contract/ids'
import { withoutNull, type PlainSchema } from '../command/parameters.ts'

const body = '01K8ZQ4T9V2M6N3R7W5X0Y1ABC'
const uuid = '3f0c7b1e-8a52-4c55-9d0b-6f2f5f0a1c11'

/** A value that a schema accepts: its example, or one made from its rules. */
export function exampleValue(declared: PlainSchema): unknown {
  const { schema } = withoutNull(declared)
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined && schema.default !== null) return schema.default
  const [choice] = schema.oneOf ?? schema.anyOf ?? []
  if (choice) return exampleValue(choice)
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return exampleText(schema)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return (schema.minItems ?? 1) > 0 || schema.items ? [exampleValue(schema.items ?? {})] : []
    default:
      return exampleObject(schema)
  }
}

const exampleObject = ({ properties = {}, required = [] }: PlainSchema) =>
  Object.fromEntries(required.map(name => [name, exampleValue(properties[name] ?? {})]))

function exampleText({ pattern = '', format, minLength = 1 }: PlainSchema): string {
  if (format === 'date') return '2026-06-30'
  if (format === 'date-time') return '2026-06-30T12:00:00Z'
  if (format === 'uuid') return uuid
  const matches = (text: string) => pattern === '' || new RegExp(pattern, 'u').test(text)
  const ids = Object.keys(idPrefixes).map(prefix => `${prefix}_${body}`)
  const known = [...ids, `val_${'0'.repeat(31)}1`, 'me', uuid, 'a'.repeat(64), 'USD', 'US', 'MA', '2022', '1']
  const texts = ['text', ...known].map(text => text.padEnd(minLength, 'x'))
  return (pattern === '' ? texts[0] : known.find(matches)) ?? texts.find(matches) ?? 'text'
}
