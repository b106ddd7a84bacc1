import type { ProblemBody } from './generated/problems.ts'
import { ProblemError, UnexpectedAnswer } from './errors.ts'
import { infoOf, type ResponseInfo } from './response-info.ts'

/** Statuses of proxies that could not reach the service, or may later. */
const retryableStatuses = [408, 425, 429, 502, 503, 504]

/** What became of an attempt. */
export type Outcome<T> = Received<T> | Failure
export interface Received<T> {
  answer: T
  response: ResponseInfo
}
export interface Failure {
  error: unknown
  /** Whether a retry may succeed. */
  retryable: boolean
  /** The Retry-After of the service, in milliseconds. */
  retryAfter?: number | undefined
}

/** Reads the whole answer of a request, or why there is none. */
export function readAnswer(response: Response, text: string): Outcome<unknown> {
  const { status, headers } = response
  const info = infoOf(response)
  const type = headers.get('content-type') ?? 'no content type'
  const content = /^application\/(?:problem\+)?json\b/i.test(type) ? parse(text) : undefined
  const retryAfter = readRetryAfter(headers.get('retry-after'))
  if (response.ok && content) return { answer: content, response: info }
  if (!response.ok && isProblemBody(content))
    return { error: new ProblemError(content, info), retryable: content.retryable, retryAfter }
  const error = new UnexpectedAnswer(
    info,
    content ? 'its JSON has an unexpected form' : `its content type is ${type}`,
  )
  return { error, retryable: retryableStatuses.includes(status), retryAfter }
}

function parse(text: string): object | undefined {
  try {
    const content = JSON.parse(text) as unknown
    return typeof content === 'object' && content !== null ? content : undefined
  } catch {
    return undefined
  }
}

const isProblemBody = (content: object | undefined): content is ProblemBody =>
  content !== undefined && 'code' in content && 'retryable' in content && 'detail' in content

/** Retry-After in milliseconds, from seconds or a date; undefined if it is neither. */
function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}
