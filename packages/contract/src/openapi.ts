import type { TProperties, TSchema } from 'typebox'
import { limitsOf } from './limits.ts'
import {
  answerSchema,
  inputParts,
  isRequired,
  isStream,
  methodOf,
  pathOf,
  takesBody,
  workspaceOf,
  type InputRule,
  type Operation,
} from './operation.ts'
import { problems, type ProblemCode } from './problems.ts'
import { operations } from './registry.ts'
import { components } from './schema.ts'
import { apiVersion } from './system.ts'

/** The OpenAPI 3.1 document of the interface, derived from the registry. The same for every installation. */
export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const op of operations as readonly Operation[]) {
    const methods = (paths[pathOf(op)] ??= {})
    methods[methodOf(op).toLowerCase()] = describeOperation(op)
  }
  return plain({
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Workspace Business Service',
      version: apiVersion,
      description:
        'Search published U.S. Businesses, and work with them in shared Workspaces. Values of enumerations may be added: accept ones that you do not know.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ access_token: [] }, { api_key: [] }],
    tags: [...new Set(operations.map(op => op.tag))].map(name => ({ name })),
    paths,
    components: {
      schemas: { ...Object.fromEntries(components), Problem: problemSchema, InputError: inputErrorSchema },
      securitySchemes: {
        access_token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token of an OpenID Connect issuer that the service trusts.',
        },
        api_key: {
          type: 'apiKey',
          in: 'header',
          name: 'X-SVC-API-Key',
          description: 'A Workspace API key. Accepted on operations of that Workspace.',
        },
      },
      headers: {
        RequestId: { schema: { type: 'string' }, description: 'The same as request_id.' },
        ApiVersion: { schema: { type: 'string' }, description: 'The version of the interface.' },
        ...limitHeaders,
      },
    },
  })
}

function describeOperation(op: Operation): object {
  const { path, query, body } = inputParts(op)
  return {
    operationId: op.name,
    summary: op.summary,
    description: [op.description, ...(op.rules ?? []).map(inWords)].filter(Boolean).join('\n\n'),
    tags: [op.tag],
    ...security(op),
    parameters: [...parameters('path', path), ...parameters('query', query), ...headerParameters(op)],
    ...(takesBody(op) && {
      requestBody: { required: true, content: { 'application/json': { schema: bodySchema(body) } } },
    }),
    responses: {
      ...answers(op),
      ...problemResponses(op),
    },
  }
}

function inWords(rule: InputRule): string {
  if (rule.rule === 'exclusive') return `${rule.fields.join(' and ')} exclude each other.`
  return rule.rule === 'requires'
    ? `${rule.field} can only be given with ${rule.needs}.`
    : `At least one of ${rule.fields.join(', ')} must be given.`
}

function answers(op: Operation): Record<string, object> {
  const statuses = op.kind === 'mutation' ? [op.status, op.status_if_found ?? op.status] : [200 as const]
  const answer = (status: 200 | 201) => ({
    description: isStream(op)
      ? 'Server-Sent Events: the data of each is JSON of this schema, its id is where to go on from.'
      : status === 201
        ? 'Made.'
        : statuses[0] === 201
          ? 'It was there already.'
          : 'Done.',
    headers: {
      'SVC-Request-Id': { $ref: '#/components/headers/RequestId' },
      'SVC-API-Version': { $ref: '#/components/headers/ApiVersion' },
      ...(isLimited(op) && rateLimitHeaders),
    },
    content: { [isStream(op) ? 'text/event-stream' : 'application/json']: { schema: answerSchema(op) } },
  })
  return Object.fromEntries(statuses.map(status => [status, answer(status)]))
}

function security(op: Operation): object {
  switch (op.audience) {
    case 'public':
      return { security: [] }
    case 'anyone':
      return { security: [{}, { access_token: [] }, { api_key: [] }] }
    case 'user':
    case 'signed_in':
      return { security: [{ access_token: [] }] }
    case 'workspace': // The lists hold the permission that the caller must have.
      return op.scope ? { security: [{ access_token: [op.scope] }, { api_key: [op.scope] }] } : {}
    default:
      return {}
  }
}

function parameters(place: 'path' | 'query', properties: TProperties): object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: isRequired(schema),
    ...('description' in schema && { description: schema.description }),
    schema,
    ...('x-repeatable' in schema && { style: 'form', explode: false }),
  }))
}

function headerParameters(op: Operation): object[] {
  const list: object[] = []
  const workspace = workspaceOf(op)
  if (workspace !== 'none')
    list.push({
      name: 'SVC-Workspace-Id',
      in: 'header',
      required: workspace === 'required',
      description: 'The Workspace that the request runs in.',
      schema: { type: 'string', format: 'uuid' },
    })
  if (isStream(op))
    list.push({
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description:
        'The id of the last event that was received; takes the place of cursor. Browsers send it by themselves.',
      schema: op.input['cursor'],
    })
  if (op.kind === 'mutation')
    list.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      description: 'New for each new change; the same to repeat one. Visible ASCII characters.',
      schema: { type: 'string', minLength: 8, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' },
    })
  return list
}

const bodySchema = (properties: TProperties): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter(name => isRequired(properties[name] as TSchema)),
  additionalProperties: false,
})

/** The problems of an operation: its own, and those that the path every operation takes can answer. */
function problemCodes(op: Operation): ProblemCode[] {
  const codes = new Set<ProblemCode>([
    ...op.problems,
    'validation_error',
    'not_acceptable',
    'internal_error',
    'unavailable',
  ])
  if (op.audience !== 'public') codes.add('unauthenticated')
  if (isLimited(op)) codes.add('rate_limited')
  if (op.audience !== 'public' && (op.audience !== 'caller' || op.may_name_workspace)) codes.add('forbidden')
  if (takesBody(op)) codes.add('payload_too_large').add('unsupported_media_type')
  // A replay is not_found where the caller cannot see any more what it is about.
  if (op.kind === 'mutation')
    codes.add('idempotency_in_progress').add('idempotency_key_reused').add('not_found')
  // A suspended Workspace takes no changes.
  if (op.kind === 'mutation' && op.audience === 'workspace') codes.add('state_conflict')
  return (Object.keys(problems) as ProblemCode[]).filter(code => codes.has(code))
}

function problemResponses(op: Operation): Record<string, object> {
  const byStatus: Record<string, ProblemCode[]> = {}
  for (const code of problemCodes(op)) (byStatus[problems[code].status] ??= []).push(code)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, codes]) => [
      status,
      {
        description: codes.map(code => `\`${code}\`: ${problems[code].title}.`).join(' '),
        ...(codes.includes('rate_limited') && {
          headers: { ...rateLimitHeaders, 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
        }),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

const isLimited = (op: Operation) => limitsOf(op).length > 0

const rateLimitHeaders = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
}

const limitHeaders = {
  RateLimitPolicy: {
    schema: { type: 'string', examples: ['"read";q=6000;w=60'] },
    description:
      'The limits that the request fell under: of each its name, its quota (q) and the seconds over which the quota comes back (w). An installation may leave it out, and the next one.',
  },
  RateLimit: {
    schema: { type: 'string', examples: ['"read";r=5987;t=1'] },
    description:
      'What is left of each: requests (r), and the seconds (t) until the quota is whole again, or with none left until the next request is let in.',
  },
  RetryAfter: {
    schema: { type: 'integer', minimum: 1 },
    description: 'The seconds to wait before the same request is sent again.',
  },
}

const text = { type: 'string' }

const inputErrorSchema = {
  type: 'object',
  required: ['in', 'pointer', 'code', 'detail'],
  properties: {
    in: { enum: ['query', 'path', 'header', 'body'] },
    pointer: {
      ...text,
      description: 'A JSON Pointer to what is wrong; the first token is the name of the parameter.',
    },
    code: text,
    detail: text,
    suggestion: { ...text, description: 'What was probably meant.' },
  },
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457, with members of its own for some codes.',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'request_id', 'retryable'],
  properties: {
    type: { ...text, format: 'uri' },
    title: text,
    status: { type: 'integer' },
    code: { enum: Object.keys(problems) },
    detail: text,
    instance: text,
    request_id: text,
    retryable: {
      type: 'boolean',
      description: 'Whether the same request may succeed if it is sent again unchanged.',
    },
    errors: { type: 'array', items: { $ref: '#/components/schemas/InputError' } },
    required_permission: text,
    expected: { type: 'integer' },
    current: { type: 'integer' },
    changed_fields: { type: 'array', items: text },
    current_status: text,
    candidates: {
      type: 'array',
      description: 'With already_exists: what is there, at most 10, and what it has in common.',
      items: {
        type: 'object',
        required: ['id', 'name', 'matched_on'],
        properties: { id: text, name: text, matched_on: { type: 'array', items: text } },
      },
    },
    missing_evidence: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'pointer', 'detail', 'accepted'],
        properties: { code: text, pointer: text, detail: text, accepted: { type: 'array', items: text } },
      },
    },
    original_request_id: text,
    'violated-policies': { type: 'array', items: text },
  },
}

/** Without the markers that the schema library keeps in symbols and hidden keys. */
const plain = (document: object): object => JSON.parse(JSON.stringify(document)) as object
