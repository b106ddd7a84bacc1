import { readAnswer, type Outcome } from './answer.ts'
import { answersBytesTo, type Operation } from './operations.ts'
import { backoff, longestPause, sleep } from './pauses.ts'
import { prepareRequest, type PreparedRequest } from './request.ts'
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
): Promise<unknown> {
  const request = prepareRequest(settings, operation, input, options)
  const attempts = settings.attempts ?? 3
  for (let attempt = 1; ; attempt++) {
    options.signal?.throwIfAborted()
    const outcome = await attemptOnce(
      settings,
      request,
      answersBytesTo(operation, input),
      timeoutOf(operation, input, options.timeout ?? settings.timeout),
      options.signal,
    )
    if (!('error' in outcome)) return outcome.answer
    const pause = outcome.retryAfter ?? backoff(attempt)
    if (!outcome.retryable || attempt >= attempts || pause > longestPause) throw outcome.error
    await sleep(pause, options.signal)
  }
}

async function attemptOnce(
  settings: ClientSettings,
  request: PreparedRequest,
  isContent: boolean,
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
    if (response.ok && isContent) return { answer: response }
    return readAnswer(response, await response.text())
  } catch (error) {
    signal?.throwIfAborted()
    return { error, retryable: true }
  } finally {
    clearTimeout(timer)
  }
}

/** The timeout of an attempt, plus the time that the service was asked to wait. */
function timeoutOf({ waits }: Operation, input: Record<string, unknown>, timeout = 30_000): number {
  return timeout + (waits && typeof input['wait_seconds'] === 'number' ? input['wait_seconds'] * 1000 : 0)
}

async function accessToken({ access_token }: ClientSettings): Promise<string | undefined> {
  return typeof access_token === 'function' ? access_token() : access_token
}
