import { isBytes, type Operation } from '@wbs/contract/operation'
import type { ProblemBody } from '@wbs/contract/problems'
import { ProblemError, UnexpectedAnswer } from './errors.ts'
import { prepareRequest, type PreparedRequest } from './request.ts'
import type { CallOptions, ClientSettings } from './settings.ts'

/** In milliseconds. If the service asks to wait longer, the client throws and its user decides. */
const longestPause = 30_000

/** Statuses of proxies that could not reach the service, or may later. */
const retryableStatuses = [408, 425, 429, 502, 503, 504]

/**
 * Sends an operation and gives its answer. Retries when that may help, which is safe for every operation: reads change
 * nothing, and changes carry an Idempotency-Key. Throws ProblemError, UnexpectedAnswer, or what fetch throws.
 */
export async function send(
  settings: ClientSettings,
  operation: Operation,
  input: Record<string, unknown>,
  options: CallOptions,
): Promise<unknown> {
  const request = prepareRequest(settings, operation, input, options)
  const attempts = settings.attempts ?? 3
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted()
    const outcome = await attemptOnce(
      settings,
      operation,
      request,
      timeoutOf(settings, operation, input),
      options.signal,
    )
    if (!('error' in outcome)) return outcome.answer
    const pause = outcome.retryAfter ?? backoff(attempt)
    if (!outcome.retryable || attempt >= attempts || pause > longestPause) throw outcome.error
    await sleep(pause, options.signal)
  }
}

type Outcome = { answer: unknown } | Failure
interface Failure {
  error: unknown
  /** Whether a retry may succeed. */
  retryable: boolean
  /** The Retry-After of the service, in milliseconds. */
  retryAfter?: number | undefined
}

async function attemptOnce(
  settings: ClientSettings,
  operation: Operation,
  request: PreparedRequest,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const token = await accessToken(settings)
  // Before the attempt: an invalid header or URL is a mistake of the caller and not worth a retry.
  const headers = new Headers({
    ...request.headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  })
  const url = new URL(request.url)
  const limit = new AbortController()
  const timer = setTimeout(
    () => limit.abort(new DOMException('The attempt took too long.', 'TimeoutError')),
    timeout,
  )
  try {
    const response = await (settings.fetch ?? fetch)(url, {
      method: request.method,
      headers,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      ...(request.body !== undefined && { body: request.body }),
    })
    // The timeout is for the head alone: content takes as long as it takes.
    if (response.ok && isBytes(operation)) return { answer: response }
    return read(response, await response.text())
  } catch (error) {
    signal?.throwIfAborted()
    return { error, retryable: true }
  } finally {
    clearTimeout(timer)
  }
}

/** The timeout of an attempt, plus the time that the service was asked to wait. */
function timeoutOf(
  { timeout = 30_000 }: ClientSettings,
  operation: Operation,
  input: Record<string, unknown>,
): number {
  const waits = operation.kind === 'query' && operation.waits === 'answer'
  return timeout + (waits && typeof input['wait_seconds'] === 'number' ? input['wait_seconds'] * 1000 : 0)
}

async function accessToken({ access_token }: ClientSettings): Promise<string | undefined> {
  return typeof access_token === 'function' ? access_token() : access_token
}

function read(response: Response, text: string): Outcome {
  const { status, headers } = response
  const type = headers.get('content-type') ?? 'no content type'
  const content = /^application\/(?:problem\+)?json\b/i.test(type) ? parse(text) : undefined
  const retryAfter = readRetryAfter(headers.get('retry-after'))
  if (response.ok && content) return { answer: content }
  if (!response.ok && isProblemBody(content))
    return { error: new ProblemError(content), retryable: content.retryable, retryAfter }
  const error = new UnexpectedAnswer(
    status,
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

/** Exponential back-off with jitter, so that clients which failed together do not retry together. */
const backoff = (attempt: number) => Math.min(5_000, 100 * 2 ** attempt) * (0.5 + Math.random())

async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = () => reject(signal?.reason)
  const timer = setTimeout(resolve, milliseconds)
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
