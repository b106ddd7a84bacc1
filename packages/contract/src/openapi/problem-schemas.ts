import { problems } from '../problems.ts'

const text = (description?: string) => ({ type: 'string', ...(description && { description }) })

const integer = (description: string) => ({ type: 'integer', description })

/** One error of a request, as the document describes it. */
export const inputErrorSchema = {
  type: 'object',
  required: ['in', 'pointer', 'code', 'detail'],
  properties: {
    in: { enum: ['query', 'path', 'header', 'body'], description: 'The part of the request with the error.' },
    pointer: text('A JSON Pointer to the error. Its first token is the name of the parameter.'),
    code: text('The kind of the error.'),
    detail: text('What is wrong, or what would be right.'),
    suggestion: text('The name or value that you probably meant.'),
  },
}

/** The body of every error answer, as the document describes it. */
export const problemSchema = {
  type: 'object',
  description: 'An error as in RFC 9457. Some codes have further members.',
  required: ['type', 'title', 'status', 'code', 'detail', 'instance', 'request_id', 'retryable'],
  properties: {
    type: { ...text('The URL of the page that explains the code.'), format: 'uri' },
    title: text('What the code means.'),
    status: integer('The HTTP status.'),
    code: { enum: Object.keys(problems), description: 'The kind of problem. Codes may be added.' },
    detail: text('What went wrong with this request.'),
    instance: text('The path of the request.'),
    request_id: text('The ID of the request.'),
    retryable: {
      type: 'boolean',
      description: 'Whether the same request may succeed if you send it again unchanged.',
    },
    errors: {
      type: 'array',
      items: { $ref: '#/components/schemas/InputError' },
      description: 'With validation_error: every error of the request.',
    },
    required_permission: text('With forbidden: the permission that you lack.'),
    expected: integer('With revision_conflict: the revision that you sent.'),
    current: integer('With revision_conflict: the current revision.'),
    changed_fields: {
      type: 'array',
      items: text(),
      description:
        'With revision_conflict: the fields that your request would change, or those that have changed since you read.',
    },
    current_status: text('With state_conflict: the state that does not allow the change.'),
    candidates: {
      type: 'array',
      description: 'With already_exists: up to 10 resources that match, and the fields in which they match.',
      items: {
        type: 'object',
        required: ['id', 'name', 'matched_on'],
        properties: { id: text(), name: text(), matched_on: { type: 'array', items: text() } },
      },
    },
    missing_evidence: {
      type: 'array',
      description:
        'With evidence_required: each piece of evidence that is missing, and the kinds that are accepted.',
      items: {
        type: 'object',
        required: ['code', 'pointer', 'detail', 'accepted'],
        properties: {
          code: text(),
          pointer: text(),
          detail: text(),
          accepted: { type: 'array', items: text() },
        },
      },
    },
    original_request_id: text('With idempotency_key_reused: the first request with this Idempotency-Key.'),
    'violated-policies': {
      type: 'array',
      items: text(),
      description: 'With rate_limited: the names of the limits that were exceeded.',
    },
  },
}
