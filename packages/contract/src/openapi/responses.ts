import { answerSchema, isBytes, isStream, mayAnswerBytes, takesBody, type Operation } from '../operation.ts'
import { problems, type ProblemCode } from '../problems.ts'
import type { OperationExample } from './examples.ts'
import {
  answerHeaders,
  contentHeaders,
  isLimited,
  refusalHeaders,
  unchangedHeaders,
  unsatisfiedHeaders,
} from './headers.ts'

/** The answers of an operation, by status: its successes, then its problems. */
export const responsesOf = (op: Operation, example: OperationExample): Record<string, object> => ({
  ...(mayAnswerBytes(op) && contentResponses(op)),
  ...(!isBytes(op) && successes(op, example)),
  ...problemResponses(op),
})

function successes(op: Operation, { answers }: OperationExample): Record<string, object> {
  const statuses = op.kind === 'mutation' ? [op.status, op.status_if_found ?? op.status] : [200 as const]
  const [usual] = statuses
  const answer = (status: 200 | 201) => ({
    description: isStream(op)
      ? 'Server-Sent Events. The data of each event is JSON of this schema; continue after its id.'
      : successWords(status, usual),
    headers: answerHeaders(op),
    content: {
      [isStream(op) ? 'text/event-stream' : 'application/json']: {
        schema: isStream(op) ? { $ref: '#/components/schemas/Event' } : answerSchema(op),
        ...(status in answers && { examples: { recorded: { value: answers[status] } } }),
      },
      ...(mayAnswerBytes(op) && contentOf(op)),
    },
  })
  return Object.fromEntries(statuses.map(status => [status, answer(status)]))
}

/** The types of the content that an operation answers with. */
function contentOf(op: Operation): Record<string, object> {
  const types = (op.kind === 'query' && op.content_types) || ['*/*']
  return Object.fromEntries(types.map(type => [type, { schema: { type: 'string', format: 'binary' } }]))
}

function contentResponses(op: Operation): Record<string, object> {
  const content = contentOf(op)
  return {
    200: { description: 'The whole content.', headers: contentHeaders(op, false), content },
    206: { description: 'The requested range of the content.', headers: contentHeaders(op, true), content },
    304: {
      description: 'The content has an ETag of If-None-Match: you have it already.',
      headers: unchangedHeaders(op),
    },
  }
}

function successWords(status: 200 | 201, usual: 200 | 201 | undefined): string {
  if (status === 201) return 'Created.'
  return usual === 201 ? 'The resource already existed.' : 'Success.'
}

const problemResponses = (op: Operation): Record<string, object> =>
  Object.fromEntries(
    problemsByStatus(op).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${componentName(codes)}` },
    ]),
  )

/** The error answers of these operations, as components: many operations have the same. */
export const problemComponents = (ops: readonly Operation[]): Record<string, object> =>
  Object.fromEntries(
    ops
      .flatMap(problemsByStatus)
      .map(([, codes]) => [componentName(codes), problemResponse(codes)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )

const componentName = (codes: readonly ProblemCode[]): string => codes.join('.')

/** The problems of an operation that have the same status, for each status. */
function problemsByStatus(op: Operation): [status: string, codes: ProblemCode[]][] {
  const byStatus: Record<string, ProblemCode[]> = {}
  for (const code of problemCodes(op)) (byStatus[problems[code].status] ??= []).push(code)
  return Object.entries(byStatus)
}

const problemResponse = (codes: readonly ProblemCode[]): object => ({
  description: codes.map(code => `\`${code}\`: ${problems[code].title}.`).join(' '),
  ...(codes.includes('rate_limited') && { headers: refusalHeaders }),
  ...(codes.includes('range_not_satisfiable') && { headers: unsatisfiedHeaders }),
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(
        codes.map(code => [code, { $ref: `#/components/examples/problem_${code}` }]),
      ),
    },
  },
})

/** The problems of an operation: those that it declares, and those that the pipeline may answer. */
function problemCodes(op: Operation): ProblemCode[] {
  const codes = new Set<ProblemCode>([...op.problems, 'validation_error', 'internal_error', 'unavailable'])
  codes.add(mayAnswerBytes(op) ? 'range_not_satisfiable' : 'not_acceptable')
  if (op.audience !== 'public') codes.add('unauthenticated')
  if (isLimited(op)) codes.add('rate_limited')
  if (op.audience !== 'public' && (op.audience !== 'caller' || op.may_name_workspace)) codes.add('forbidden')
  if (takesBody(op)) codes.add('payload_too_large').add('unsupported_media_type')
  // A replay is not_found if the caller can no longer see the resource that its receipt names.
  if (op.kind === 'mutation')
    codes.add('idempotency_in_progress').add('idempotency_key_reused').add('not_found')
  // A suspended Workspace accepts no changes.
  if (op.kind === 'mutation' && op.audience === 'workspace') codes.add('state_conflict')
  return (Object.keys(problems) as ProblemCode[]).filter(code => codes.has(code))
}
