import { schemaNameOf, type Schema } from './document.ts'
import { addressOf, html, joined, type Html } from './html.ts'
import { pathOf } from './paths.ts'

/** Describes the type of a value: `text, 3 to 200 characters, or null`. */
export function describeType(schema: Schema): Html {
  const types = [schema.type ?? []].flat()
  const rules = rulesOf(schema).map(rule => html`${rule}`)
  const orNull = types.includes('null') && types.length > 1 ? [html`or null`] : []
  return joined([kindOf(schema), ...rules, ...orNull], ', ')
}

function kindOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return schemaLink(schemaNameOf(schema.$ref))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return joined(alternatives.map(describeType), ' or ')
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`
  const values = textsOf(schema) ?? schema['x-values']
  if (values) return valuesOf(values)
  if (schema.items) return listOf(schema.items)
  const entries = entriesOf(schema)
  if (entries) return html`map of names to ${describeType(entries)}`
  return html`${plainWords(schema)}`
}

/** The values of a closed set. That null is one of them follows from the type. */
const textsOf = (schema: Schema): string[] | undefined => schema.enum?.filter(text => text !== null)

export const schemaLink = (name: string): Html =>
  html`<a href="${addressOf(pathOf.schema(name))}">${name}</a>`

const valuesOf = (values: readonly string[]): Html =>
  html`${values.length > 1 && 'one of '}${joined(
    values.map(value => html`<code>${value}</code>`),
    ', ',
  )}`

function listOf(items: Schema): Html {
  const values = textsOf(items)
  if (values)
    return html`list of any of
    ${joined(
      values.map(value => html`<code>${value}</code>`),
      ', ',
    )}`
  return items.properties ? html`list of objects` : html`list of ${describeType(items)}`
}

/** The schema of the values of an object with arbitrary keys. */
function entriesOf({ type, additionalProperties, patternProperties }: Schema): Schema | undefined {
  if (type !== 'object') return undefined
  return typeof additionalProperties === 'object'
    ? additionalProperties
    : Object.values(patternProperties ?? {})[0]
}

const wordsOfFormat: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'date and time',
  date: 'date',
  uri: 'URL',
  email: 'email address',
  binary: 'bytes',
}
const wordsOfType: Record<string, string> = { string: 'text', boolean: 'true or false' }

function plainWords({ type, format }: Schema): string {
  if (format !== undefined) return wordsOfFormat[format] ?? format
  const [kind] = [type ?? []].flat().filter(name => name !== 'null' || type === 'null')
  return kind === undefined ? 'any value' : (wordsOfType[kind] ?? kind)
}

function rulesOf(schema: Schema): string[] {
  const rules = [
    bounds(schema.minLength, schema.maxLength, ' characters'),
    bounds(schema.minimum, schema.maximum, ''),
    bounds(schema.minItems, schema.maxItems, ' items'),
    schema['x-repeatable'] === undefined ? '' : separators(schema['x-repeatable']),
    // The description explains a pattern; without one, the pattern itself is shown.
    schema.pattern !== undefined && schema.description === undefined ? `matching ${schema.pattern}` : '',
    schema.default === undefined ? '' : `${schema.default} if not given`,
  ]
  return rules.filter(rule => rule !== '')
}

const separators = (repeatable: boolean) => (repeatable ? 'comma-separated or repeated' : 'comma-separated')

function bounds(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined)
    return `${least === most ? least : `${least} to ${most}`}${unit}`
  if (least !== undefined) return `at least ${least}${unit}`
  return most === undefined ? '' : `at most ${most}${unit}`
}
