import { clientMethodOf } from '@wbs/contract/operation'
import { bodySchemaOf, recordedIn, type ApiDocument, type ApiOperation, type Endpoint } from './document.ts'
import { sample } from './sample.ts'

/** TypeScript that sends the operation with `@wbs/sdk`, with the values of the document. It expects a `client`. */
export function sdkExample({ operation }: Endpoint, document: ApiDocument): string {
  const input = inputOf(operation, document)
  const given = Object.keys(input).length > 0 ? literal(input, '') : ''
  const content = Object.values(operation.responses)[0]?.content ?? {}
  if ('text/event-stream' in content)
    return `for await (const event of client.events.follow(${given}))\n  console.log(event.type)`
  const method = `client.${clientMethodOf(operation.operationId)}`
  if (!('application/json' in content))
    return `const response = await ${method}(${given})\nconst content = await response.arrayBuffer()`
  const { properties = {} } = bodySchemaOf(content)
  if ('data' in properties && 'page' in properties)
    return `for await (const item of ${method}.each(${given}))\n  console.log(item)`
  const shown = Object.keys(properties).find(name => !ofTheEnvelope.test(name)) ?? ''
  return `const ${shown === '' ? 'answer' : `{ ${shown} }`} = await ${method}(${given})`
}

/** The fields that answers of all operations have. */
const ofTheEnvelope = /^request_id$|^original_request_id$|^idempotent_replay$|receipt$/

/** The parameters that are required, one filter, and the body. */
function inputOf({ parameters, requestBody }: ApiOperation, document: ApiDocument): object {
  const filter = parameters.find(
    parameter =>
      parameter.in === 'query' &&
      !parameter.required &&
      parameter.name !== 'cursor' &&
      parameter.schema.examples !== undefined,
  )
  const sent = parameters.filter(
    parameter => parameter.in !== 'header' && (parameter.required || parameter === filter),
  )
  const values = sent.map(({ name, schema, example }) => [name, example ?? sample(name, schema, document)])
  return { ...Object.fromEntries(values), ...(recordedIn(requestBody?.content) as object | null | undefined) }
}

/** A value as TypeScript, in several lines if it is long. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map(item => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${keyOf(name)}: ${literal(item, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  if (line.length <= 40 && !line.includes('\n')) return line
  return `${open}\n${parts.map(part => `${inner}${part},\n`).join('')}${indent}${close}`
}

const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** Quoted as JSON, which is TypeScript too, but with the quotes that the SDK is written with. */
const quoted = (text: string) =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`
