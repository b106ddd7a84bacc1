/** A JSON Schema of the contract, as far as types depend on it. */
export interface TypeSchema {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  'x-values'?: readonly string[]
  anyOf?: readonly TypeSchema[]
  oneOf?: readonly TypeSchema[]
  items?: TypeSchema
  properties?: Readonly<Record<string, TypeSchema>>
  required?: readonly string[]
  additionalProperties?: TypeSchema | boolean
  patternProperties?: Readonly<Record<string, TypeSchema>>
  description?: string
  default?: unknown
}

/** Whether a type is of what a caller gives: then lists are readonly, and an optional field may be undefined. */
export type Side = 'given' | 'answered'

export const nameOfReference = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

/** A schema as a TypeScript type. Throws for a type of JSON Schema that it does not know. */
export function typeText(schema: TypeSchema, side: Side): string {
  if (schema.$ref !== undefined) return nameOfReference(schema.$ref)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) {
    const union = variants.map(variant => typeText(variant, side)).join(' | ')
    return schema.properties ? `${objectText(schema, side)} & (${union})` : union
  }
  if (schema.type === undefined) return 'unknown'
  return [schema.type]
    .flat()
    .map(type => plainTypeText(type, schema, side))
    .join(' | ')
}

function plainTypeText(type: string, schema: TypeSchema, side: Side): string {
  switch (type) {
    case 'string':
      return schema['x-values'] ? `${schema['x-values'].map(literal).join(' | ')} | (string & {})` : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return type
    case 'array':
      return `${side === 'given' ? 'readonly ' : ''}(${typeText(schema.items ?? {}, side)})[]`
    case 'object':
      return objectText(schema, side)
    default:
      throw new Error(`There is no type for ${JSON.stringify(schema)}.`)
  }
}

function objectText(schema: TypeSchema, side: Side): string {
  if (schema.properties) return `{ ${membersText(schema, side)} }`
  const [values = schema.additionalProperties] = Object.values(schema.patternProperties ?? {})
  if (typeof values === 'object') return `Record<string, ${typeText(values, side)}>`
  return side === 'given' ? 'object' : 'Record<string, unknown>'
}

/** The members of an object, with a doc comment for each that the schema describes. */
export function membersText({ properties = {}, required = [] }: TypeSchema, side: Side): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isOptional = !required.includes(name)
      const orElse = [
        name === 'cursor' && side === 'given' && ' | null',
        isOptional && side === 'given' && ' | undefined',
      ]
      const key = /^\w+$/.test(name) ? name : literal(name)
      return `${docComment(commentOn(schema))}${key}${isOptional ? '?' : ''}: ${typeText(schema, side)}${orElse.filter(Boolean).join('')}\n`
    })
    .join('')
}

/** That values may be added to an open set is in its type. */
function commentOn({ description = '', default: usual, ...schema }: TypeSchema): string {
  const said = 'x-values' in schema && description.endsWith('Values may be added.') ? '' : description
  return [said, usual !== undefined && `Default: ${JSON.stringify(usual)}.`].filter(Boolean).join(' ')
}

const widest = 100

/** A doc comment, or nothing. Paragraphs are separated by an empty line. */
export function docComment(text: string): string {
  const lines = text.replaceAll('*/', '*\\/').split('\n').flatMap(wrapped)
  if (text === '') return ''
  return lines.length === 1
    ? `/** ${lines.join('')} */\n`
    : `/**\n${lines.map(line => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

function wrapped(text: string): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length >= widest) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value)
