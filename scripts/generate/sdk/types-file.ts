import {
  clientMethodOf,
  answerSchema,
  isBytes,
  isRequired,
  isStream,
  mayAnswerBytes,
  type Operation,
} from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { eventSchemas } from '@wbs/contract/openapi/event-schemas'
import { components } from '@wbs/contract/schema'
import { itemsKeyOf } from './method-shape.ts'
import {
  docComment,
  membersText,
  nameOfReference,
  typeText,
  type Side,
  type TypeSchema,
} from './type-text.ts'

/**
 * The types of what operations take and answer, and of the methods that run them. Throws if two types would have the same
 * name.
 */
export function typesFile(): string {
  const all = operations as readonly Operation[]
  const given = componentsReachedFrom(all.map(op => op.input))
  const schemas: Record<string, TypeSchema> = { ...Object.fromEntries(components), ...eventSchemas() }
  const parts = [
    ...Object.entries(schemas).map(([name, schema]) =>
      declaration(name, schema, given.has(name) ? 'given' : 'answered'),
    ),
    ...all.flatMap(op => [inputOf(op), ...answerOf(op)]),
    `export interface Methods {\n${all
      .filter(op => !isStream(op))
      .map(methodText)
      .join('\n')}}\n`,
  ]
  const names = parts.flatMap(part => /^export (?:interface|type) (\w+)/m.exec(part)?.[1] ?? [])
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`Two types of the SDK would have the name ${twice}.`)
  return `// npm run generate writes this file from the declarations of packages/contract.\n\n${imports}\n${envelopes}\n${parts.join('\n')}`
}

const imports = `import type { FormatMethod, ListMethod, Method } from '../methods.ts'\n`

const requestId = `/** The ID of the request that this is the answer to: req_ and 26 characters. */
request_id: string`

const envelopes = `/** What every answer has. */
export interface Answered {
${requestId}
}

/** What the answer of every change has. */
export interface Changed extends Answered {
/** The ID of the request that made the change. Equal to request_id, except in a replay. */
original_request_id: string
/** Whether this is the answer to an earlier request with the same Idempotency-Key. */
idempotent_replay: boolean
}
`

const envelopeKeys = ['request_id', 'original_request_id', 'idempotent_replay']

const pascal = (name: string) => name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
const inputName = (op: Operation) => `${pascal(op.name)}Input`
const answerName = (op: Operation) => `${pascal(op.name)}Answer`

/** The names of the components that the schemas need, themselves or through others. */
function componentsReachedFrom(schemas: readonly unknown[]): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = [...schemas]
  for (let text = JSON.stringify(open.pop()); text !== undefined; text = JSON.stringify(open.pop()))
    for (const [, reference = ''] of text.matchAll(/"\$ref":"([^"]+)"/g)) {
      const name = nameOfReference(reference)
      if (!reached.has(name)) open.push(components.get(name))
      reached.add(name)
    }
  return reached
}

function declaration(name: string, schema: TypeSchema, side: Side): string {
  const comment = docComment(schema.description ?? '')
  return schema.type === 'object' && schema.properties && !schema.oneOf && !schema.anyOf
    ? `${comment}export interface ${name} {\n${membersText(schema, side)}}\n`
    : `${comment}export type ${name} = ${typeText(schema, side)}\n`
}

function inputOf(op: Operation): string {
  const entries = Object.entries(op.input)
  const required = entries.flatMap(([name, schema]) => (isRequired(schema) ? [name] : []))
  const body = membersText({ properties: op.input, required }, 'given')
  return body === ''
    ? `export type ${inputName(op)} = Record<string, never>\n`
    : `export interface ${inputName(op)} {\n${body}}\n`
}

/** The answer, unless it is content alone. */
function answerOf(op: Operation): string[] {
  if (isBytes(op) || isStream(op)) return []
  const { properties, required } = answerSchema(op)
  const own = Object.entries(properties).filter(([key]) => !envelopeKeys.includes(key))
  const envelope = op.kind === 'mutation' ? ' extends Changed' : op.bare ? '' : ' extends Answered'
  const members = membersText({ properties: Object.fromEntries(own), required }, 'answered')
  return [`export interface ${answerName(op)}${envelope} {\n${members}}\n`]
}

function methodText(op: Operation): string {
  const comment = docComment([op.summary, op.description, `\`${op.http}\``].filter(Boolean).join('\n\n'))
  return `${comment}readonly ${clientMethodOf(op.name)}: ${methodType(op)}\n`
}

function methodType(op: Operation): string {
  const input = inputName(op)
  if (isBytes(op)) return `Method<${input}, Response>`
  const answer = answerName(op)
  if (mayAnswerBytes(op)) return `FormatMethod<${input}, ${answer}>`
  const items = itemsKeyOf(op)
  return items !== undefined
    ? `ListMethod<${input}, ${answer}, ${answer}['${items}'][number]>`
    : `Method<${input}, ${answer}>`
}
