import type { TProperties, TSchema } from 'typebox'
import {
  inputParts,
  isRequired,
  isStream,
  mayAnswerBytes,
  takesBody,
  workspaceOf,
  type InputRule,
  type Operation,
  scopesOf,
} from '../operation.ts'
import { responsesOf } from './responses.ts'

/** The Operation Object of an operation. */
export function describeOperation(op: Operation): object {
  const { path, query, body } = inputParts(op)
  return {
    operationId: op.name,
    summary: op.summary,
    description: [op.description, ...(op.rules ?? []).map(inWords), bodyLimitWords(op)]
      .filter(Boolean)
      .join('\n\n'),
    tags: [op.tag],
    ...security(op),
    parameters: [...parameters('path', path), ...parameters('query', query), ...headerParameters(op)],
    ...(takesBody(op) && {
      requestBody: { required: true, content: { 'application/json': { schema: bodySchema(op, body) } } },
    }),
    responses: responsesOf(op),
  }
}

const bodyLimitWords = ({ body_limit }: Operation): string | undefined =>
  body_limit === undefined ? undefined : `The body may have up to ${body_limit / (1024 * 1024)} MiB.`

function inWords(rule: InputRule): string {
  if (rule.rule === 'exclusive') return `Send only one of ${rule.fields.join(' and ')}.`
  return rule.rule === 'requires'
    ? `${rule.field} requires ${rule.needs}.`
    : `Send at least one of ${rule.fields.join(', ')}.`
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
    case 'workspace': {
      // The lists hold the permissions that the caller must have.
      const needed = scopesOf(op)
      const visitors = op.visitors ? [{}] : []
      return needed.length > 0
        ? { security: [...visitors, { access_token: needed }, { api_key: needed }] }
        : {}
    }
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
      description: 'The ID of the Workspace in which the request runs.',
      schema: { type: 'string', format: 'uuid' },
    })
  if (op.visitors && op.kind === 'query')
    list.push({
      name: 'SVC-Claim-Token',
      in: 'header',
      required: false,
      description: 'Without an account: the claim_token of the valuation.',
      schema: { type: 'string' },
    })
  if (isStream(op))
    list.push({
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description:
        'The ID of the last event that you received. Takes precedence over cursor. Browsers send it when they reconnect.',
      schema: op.input['cursor'],
    })
  if (mayAnswerBytes(op)) list.push(...contentRequestHeaders)
  if (op.kind === 'mutation')
    list.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      description:
        'A unique key for this change, in visible ASCII characters. To retry, send the same request with the same key.',
      schema: { type: 'string', minLength: 8, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' },
    })
  return list
}

const contentRequestHeaders = [
  {
    name: 'Range',
    in: 'header',
    required: false,
    description:
      'One range of bytes to send, such as bytes=0-1023, bytes=1024- or bytes=-512. Several ranges, or a header that is not well formed, get the whole content.',
    schema: { type: 'string' },
  },
  {
    name: 'If-Range',
    in: 'header',
    required: false,
    description: 'The ETag of the content that Range is a part of. If it differs, you get the whole content.',
    schema: { type: 'string' },
  },
  {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of the content that you have. If it is the same, you get the status 304.',
    schema: { type: 'string' },
  },
]

const bodySchema = (op: Operation, properties: TProperties): object => ({
  type: op.kind === 'mutation' && op.null_body !== undefined ? ['object', 'null'] : 'object',
  properties,
  required: Object.keys(properties).filter(name => isRequired(properties[name] as TSchema)),
  additionalProperties: false,
  ...dependencies(op, properties),
})

/** Which fields of a body require others. */
function dependencies({ rules = [] }: Operation, properties: TProperties): object {
  const needs = rules.flatMap(rule =>
    rule.rule === 'requires' && rule.field in properties ? [[rule.field, [rule.needs]]] : [],
  )
  return needs.length > 0 ? { dependentRequired: Object.fromEntries(needs) } : {}
}
