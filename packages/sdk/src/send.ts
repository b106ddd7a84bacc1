import { readAnswer, type Outcome, type Received } from './answer.ts'
import { exchange, repeated, type Attempt } from './exchange.ts'
import { answersBytesTo, type Operation } from './operations.ts'
import { unlessAborted } from './pauses.ts'
import { prepareRequest, type PreparedRequest } from './request.ts'
import { infoOf } from './response-info.ts'
import type { CallOptions, ClientSettings } from './settings.ts'

/**
 * Sends an operation and gives its answer. Retries when that may help, which is safe for every operation: reads change
 * nothing, and changes carry an Idempotency-Key. Throws ProblemError, UnexpectedAnswer, or what fetch throws.
 */
export async function send(
  settings: ClientSettings,
  operation: Operation,
  input: Record<string, unknown>,
  options: CallOptions,
): Promise<Received<unknown>> {
  const request = prepareRequest(settings, operation, input, options)
  const isContent = answersBytesTo(operation, input)
  return repeated(firstAttempt(settings, operation, input, options), settings.attempts ?? 3, attempt =>
    attemptOnce(attempt, request, isContent),
  )
}

/** The first attempt of a call. Its timeout is added to the time that the service is asked to wait. */
export function firstAttempt(
  settings: ClientSettings,
  { name, method, path }: Operation,
  { wait_seconds }: Record<string, unknown>,
  { timeout = settings.timeout ?? 30_000, signal }: CallOptions,
): Attempt {
  return {
    settings,
    operation: name,
    method,
    path,
    attempt: 1,
    timeout: timeout + (typeof wait_seconds === 'number' ? wait_seconds * 1000 : 0),
    signal,
  }
}

/** Sends a request once, with a fresh token. Content is answered as the Response, whose body is not read. */
export async function attemptOnce(
  attempt: Attempt,
  request: PreparedRequest,
  isContent: boolean,
): Promise<Outcome<unknown>> {
  const { settings, signal } = attempt
  const token = await unlessAborted(accessToken(settings), signal)
  // Before the attempt: an invalid header or URL is a mistake of the caller and not worth a retry.
  const headers = new Headers({
    ...request.headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  })
  const url = new URL(request.url)
  return exchange(attempt, async bounds => {
    const response = await (settings.fetch ?? fetch)(url, {
      method: request.method,
      headers,
      redirect: 'error',
      signal: bounds,
      ...(request.body !== undefined && { body: request.body }),
    })
    if (isContent && (response.ok || response.status === 304))
      return { answer: response, response: infoOf(response) }
    return readAnswer(response, await response.text())
  })
}

async function accessToken({ access_token }: ClientSettings): Promise<string | undefined> {
  return typeof access_token === 'function' ? access_token() : access_token
}
