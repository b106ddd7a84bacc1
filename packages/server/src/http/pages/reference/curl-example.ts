import { bodySchemaOf, type ApiDocument, type Endpoint, type Schema } from './document.ts'
import { sample, variable } from './sample.ts'

/**
 * A shell command that sends the operation, with the examples of the document. Values that only the reader knows are
 * variables: BASE_URL, ACCESS_TOKEN, WORKSPACE_ID, and others such as ROOM_ID.
 */
export function curlExample(endpoint: Endpoint, document: ApiDocument): string {
  const options = [
    method(endpoint),
    'text/event-stream' in (endpoint.operation.responses['200']?.content ?? {}) ? '-N' : '', // show the stream without buffering
    credential(endpoint, document),
    ...headers(endpoint),
    ...body(endpoint, document),
  ]
  return [`curl "${url(endpoint, document)}"`, ...options.filter(option => option !== '')].join(' \\\n  ')
}

function url({ path, operation }: Endpoint, document: ApiDocument): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => variable(name))
  const inQuery = operation.parameters.filter(parameter => parameter.in === 'query')
  // One filter is enough: several examples seldom match the same items.
  const filter = inQuery.find(parameter => !parameter.required && parameter.schema.examples !== undefined)
  const sent = inQuery.filter(parameter => parameter.required || parameter === filter)
  const query = sent.map(({ name, schema }) => `${name}=${inUrl(String(sample(name, schema, document)))}`)
  return `$BASE_URL${place}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

const inUrl = (text: string) => (text.startsWith('$') ? text : encodeURIComponent(text))

/** These are curl's defaults: GET, and POST with a body. */
const method = ({ method }: Endpoint) => (method === 'GET' || method === 'POST' ? '' : `-X ${method}`)

function credential({ operation }: Endpoint, document: ApiDocument): string {
  const accepted = operation.security ?? document.security
  const needed = accepted.length > 0 && accepted.every(requirement => Object.keys(requirement).length > 0)
  return needed || isForMembers(operation) ? '-H "Authorization: Bearer $ACCESS_TOKEN"' : ''
}

/** Whether members may call an operation that people without an account may call too: the example is that of a member. */
const isForMembers = ({ security = [] }: Endpoint['operation']): boolean =>
  security.some(requirement => Object.values(requirement).some(permissions => permissions.length > 0))

function headers({ operation }: Endpoint): string[] {
  const needed = operation.parameters.filter(
    parameter =>
      parameter.in === 'header' &&
      (parameter.required || (parameter.name === 'SVC-Workspace-Id' && isForMembers(operation))),
  )
  return needed.map(
    ({ name }) => `-H "${name}: ${name === 'Idempotency-Key' ? '$(openssl rand -hex 16)' : '$WORKSPACE_ID'}"`,
  )
}

function body({ method, operation }: Endpoint, document: ApiDocument): string[] {
  if (!operation.requestBody) return []
  const schema = bodySchemaOf(operation.requestBody.content)
  const value = Object.fromEntries(
    fieldsToSend(schema, method).map(name => [name, sample(name, schema.properties?.[name] ?? {}, document)]),
  )
  return ['-H "Content-Type: application/json"', `-d ${quoted(bodyText(value))}`]
}

/** On one line if it is short: the page would break a longer one in the middle of words. */
function bodyText(value: object): string {
  const line = JSON.stringify(value)
  return line.length > 60 ? JSON.stringify(value, null, 2) : line
}

/**
 * The required fields and the optional ones that have an example. An edit changes a single field, and sends the objects
 * that go with it, such as its source.
 */
function fieldsToSend(
  { properties = {}, required = [], dependentRequired = {} }: Schema,
  method: string,
): string[] {
  const optional = Object.keys(properties).filter(name => !required.includes(name))
  const exemplary = optional.filter(
    name =>
      properties[name]?.examples !== undefined &&
      (dependentRequired[name] ?? []).every(other => properties[other]?.examples !== undefined),
  )
  const isObject = (name: string) => properties[name]?.type === 'object'
  const edit = [exemplary[0] ?? optional[0], ...exemplary.filter(isObject)]
  const sent = method === 'PATCH' ? edit : exemplary
  return Object.keys(properties).filter(name => required.includes(name) || sent.includes(name))
}

/** One word of the shell, in which variables are still expanded. */
function quoted(json: string): string {
  const plain = `'${json.replaceAll("'", `'\\''`)}'`
  return plain.replaceAll(/"(\$[A-Z_]+)"/g, `"'"$1"'"`)
}
