import type { TProperties, TSchema } from 'typebox'
import {
  answerSchema,
  inputParts,
  isRequired,
  methodOf,
  pathOf,
  takesBody,
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
      },
    },
  })
}

function describeOperation(op: Operation): object {
  const { path, query, body } = inputParts(op)
  const status = op.kind === 'mutation' ? op.status : 200
  const rules = (op.rules ?? []).map(rule =>
    rule.rule === 'exclusive'
      ? `${rule.fields.join(' and ')} exclude each other.`
      : `${rule.field} can only be given with ${rule.needs}.`,
  )
  return {
    operationId: op.name,
    summary: op.summary,
    description: [op.description, ...rules].filter(Boolean).join('\n\n'),
    tags: [op.tag],
    ...security(op),
    parameters: [...parameters('path', path), ...parameters('query', query), ...headerParameters(op)],
    ...(takesBody(op) && {
      requestBody: { required: true, content: { 'application/json': { schema: bodySchema(body) } } },
    }),
    responses: {
      [status]: {
        description: status === 201 ? 'Made.' : 'Done.',
        headers: {
          'SVC-Request-Id': { $ref: '#/components/headers/RequestId' },
          'SVC-API-Version': { $ref: '#/components/headers/ApiVersion' },
        },
        content: { 'application/json': { schema: answerSchema(op) } },
      },
      ...problemResponses(op),
    },
  }
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
  if (op.audience === 'workspace' || op.audience === 'anyone')
    list.push({
      name: 'SVC-Workspace-Id',
      in: 'header',
      required: op.audience === 'workspace',
      description: 'The Workspace that the request runs in.',
      schema: { type: 'string', format: 'uuid' },
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
  if (op.audience !== 'public' && op.audience !== 'caller') codes.add('forbidden')
  if (takesBody(op)) codes.add('payload_too_large').add('unsupported_media_type')
  if (op.kind === 'mutation') codes.add('idempotency_in_progress').add('idempotency_key_reused')
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
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
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
    missing_evidence: { type: 'array', items: { type: 'object' } },
    original_request_id: text,
    'violated-policies': { type: 'array', items: text },
  },
}

/** Without the markers that the schema library keeps in symbols and hidden keys. */
const plain = (document: object): object => JSON.parse(JSON.stringify(document)) as object
