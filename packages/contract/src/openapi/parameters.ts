import type { TProperties, TSchema } from 'typebox'
import {
  inputParts,
  isRequired,
  isStream,
  mayAnswerBytes,
  workspaceOf,
  type Operation,
} from '../operation.ts'
import type { Examples, OperationExample } from './examples.ts'

/** The Parameter Objects of an operation, with the values that the recorded request had. */
export function parametersOf(
  op: Operation,
  { parameters: sent }: OperationExample,
  ids: Examples['ids'],
): object[] {
  const { path, query } = inputParts(op)
  const declared = (place: 'path' | 'query', properties: TProperties) =>
    declaredParameters(place, properties, schema => idOf(schema, ids), sent)
  return [...declared('path', path), ...declared('query', query), ...headers(op, sent)]
}

/** An id that fits a schema of ids with a prefix. */
function idOf(schema: TSchema, ids: Examples['ids']): string | undefined {
  const [, prefix = ''] = /^\^([a-z]+)_/.exec(String('pattern' in schema ? schema.pattern : '')) ?? []
  return ids.get(prefix)
}

function declaredParameters(
  place: 'path' | 'query',
  properties: TProperties,
  idOf: (schema: TSchema) => string | undefined,
  sent: object,
): object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: isRequired(schema),
    ...('description' in schema && { description: schema.description }),
    schema,
    ...('x-repeatable' in schema && { style: 'form', explode: false }),
    ...exampleOf(name, schema, sent, idOf(schema)),
  }))
}

/** The value that was sent, or an id, unless the schema has examples of its own. */
function exampleOf(name: string, schema: TSchema, sent: object, id: string | undefined): object {
  const example = name in sent ? sent[name as keyof typeof sent] : id
  return example === undefined || 'examples' in schema ? {} : { example }
}

function headers(op: Operation, sent: object): object[] {
  const list: object[] = []
  const workspace = workspaceOf(op)
  if (workspace !== 'none') list.push(workspaceHeader(workspace === 'required'))
  if (op.visitors && op.kind === 'query') list.push(claimHeader)
  if (isStream(op)) list.push(lastEventHeader(op, sent))
  if (mayAnswerBytes(op)) list.push(...contentHeaders)
  if (op.kind === 'mutation') list.push(keyHeader)
  return list
}

const workspaceHeader = (required: boolean) => ({
  name: 'SVC-Workspace-Id',
  in: 'header',
  required,
  description: 'The ID of the Workspace in which the request runs.',
  schema: { type: 'string', format: 'uuid' },
  example: '01a0a088-99ba-766a-87e3-06f8c7b2c5b0',
})

const claimHeader = {
  name: 'SVC-Claim-Token',
  in: 'header',
  required: false,
  description: 'Without an account: the claim_token of the valuation.',
  schema: { type: 'string' },
  example: 'clm_ThisIsAnExampleAndNotASecretThisIsAnExampleA',
}

const lastEventHeader = (op: Operation, sent: { cursor?: unknown }) => ({
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description:
    'The ID of the last event that you received. Takes precedence over cursor. Browsers send it when they reconnect.',
  schema: op.input['cursor'],
  ...('cursor' in sent && { example: sent.cursor }),
})

const keyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A unique key for this change, in visible ASCII characters. To retry, send the same request with the same key.',
  schema: { type: 'string', minLength: 8, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' },
  example: '5b0f7c1e-8f0e-4c55-9d3c-2f4c1f0f6a11',
}

const contentHeaders = [
  {
    name: 'Range',
    in: 'header',
    required: false,
    description:
      'One range of bytes to send, such as bytes=0-1023, bytes=1024- or bytes=-512. Several ranges, or a header that is not well formed, get the whole content.',
    schema: { type: 'string' },
    example: 'bytes=0-1023',
  },
  {
    name: 'If-Range',
    in: 'header',
    required: false,
    description: 'The ETag of the content that Range is a part of. If it differs, you get the whole content.',
    schema: { type: 'string' },
    example: `"${'0'.repeat(64)}"`,
  },
  {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The ETag of the content that you have. If it is the same, you get the status 304.',
    schema: { type: 'string' },
    example: `"${'0'.repeat(64)}"`,
  },
]
