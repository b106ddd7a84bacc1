import { inputParts, scopesOf, takesBody, type InputRule, type Operation } from '../operation.ts'
import { bodySchema } from './body-schema.ts'
import type { Examples, OperationExample } from './examples.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'

/** Of an operation whose examples are still to be recorded. */
const noExample: OperationExample = { parameters: {}, answers: {} }

/** The Operation Object of an operation, with its recorded request and answers. */
export function describeOperation(
  op: Operation,
  example = noExample,
  ids: Examples['ids'] = new Map(),
): object {
  return {
    operationId: op.name,
    summary: op.summary,
    description: [op.description, ...(op.rules ?? []).map(inWords), bodyLimitWords(op)]
      .filter(Boolean)
      .join('\n\n'),
    tags: [op.tag],
    ...security(op),
    parameters: parametersOf(op, example, ids),
    ...(takesBody(op) && { requestBody: requestBody(op, example) }),
    responses: responsesOf(op, example),
  }
}

const requestBody = (op: Operation, { request }: OperationExample) => ({
  required: true,
  content: {
    'application/json': {
      schema: bodySchema(op, inputParts(op).body),
      ...(request !== undefined && { examples: { recorded: { value: request } } }),
    },
  },
})

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
