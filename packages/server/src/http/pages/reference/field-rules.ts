import type { Schema } from './document.ts'

/** What a rule of the schema says about one field: `needs`, `not with`. */
export function remarksOn(name: string, schema: Schema): string[] {
  const needed = schema.dependentRequired?.[name] ?? []
  const excluded = conditionsOf(schema)
    .map(({ not }) => not?.required ?? [])
    .filter(fields => fields.length > 1 && fields.includes(name))
    .flatMap(fields => fields.filter(field => field !== name))
  return [
    ...(needed.length > 0 ? [`needs ${inWords(needed, 'and')}`] : []),
    ...(excluded.length > 0 ? [`not with ${inWords(excluded, 'or')}`] : []),
  ]
}

/** The rules that no single field shows: how many of the fields are needed, and of which one. */
export function rulesOfFields(schema: Schema): string[] {
  const { minProperties = 0, required = [] } = schema
  const further = minProperties - required.length
  return [
    ...(further > 0
      ? [
          `At least ${further === 1 ? 'one field' : `${further} fields`}${required.length > 0 ? ' besides the required' : ''}.`,
        ]
      : []),
    ...conditionsOf(schema).flatMap(({ anyOf = [] }) => oneOfThese(anyOf, 'At least one of')),
    ...conditionsOf(schema).flatMap(({ oneOf = [] }) => oneOfThese(oneOf, 'Exactly one of')),
  ]
}

/** A choice of fields: alternatives that only say which fields are required. */
function oneOfThese(alternatives: readonly Schema[], words: string): string[] {
  const choices = alternatives.map(({ required = [], type, $ref }) =>
    type === undefined && $ref === undefined ? required : [],
  )
  if (choices.length === 0 || choices.some(choice => choice.length === 0)) return []
  return [
    `${words} ${inWords(
      choices.map(choice => choice.join(' with ')),
      'and',
    )}.`,
  ]
}

const conditionsOf = (schema: Schema): readonly Schema[] => [schema, ...(schema.allOf ?? [])]

function inWords(names: readonly string[], word: string): string {
  const quoted = names.map(name => `\`${name}\``)
  const last = quoted.at(-1) ?? ''
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(', ')} ${word} ${last}` : last
}
