import type { Failure, Outcome } from './answer.ts'
import { ProblemError, UnexpectedAnswer } from './errors.ts'
import { tell, type AttemptEntry, type Ending } from './hooks.ts'
import { backoff, longestPause, sleep } from './pauses.ts'
import type { ResponseInfo } from './response-info.ts'
import type { ClientSettings } from './settings.ts'

/** What is attempted, as hooks see it, and in which bounds. */
export interface Attempt extends AttemptEntry {
  settings: ClientSettings
  /** In milliseconds. */
  timeout: number
  signal: AbortSignal | undefined
}

/** Content that nobody reads any more lets go of the signal of its call. */
const unread = new FinalizationRegistry<() => void>(letGo => letGo())

/**
 * Makes one attempt, and tells the hooks. `run` gets a signal that is aborted with that of the attempt and by the timeout. If
 * the answer is a Response, whose body is read later, the timeout is for its head alone. Throws if the signal is aborted.
 */
export async function exchange<T>(
  attempt: Attempt,
  run: (signal: AbortSignal) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { settings, timeout, signal } = attempt
  signal?.throwIfAborted()
  tell(settings.hooks?.onRequest, entryOf(attempt))
  const start = performance.now()
  const bounds = new AbortController()
  const abort = () => bounds.abort(signal?.reason)
  const letGo = () => signal?.removeEventListener('abort', abort)
  signal?.addEventListener('abort', abort)
  const timer = setTimeout(
    () => bounds.abort(new DOMException('The attempt took too long.', 'TimeoutError')),
    timeout,
  )
  const outcome = await run(bounds.signal).catch((error: unknown) => ({ error, retryable: true }))
  clearTimeout(timer)
  const content = 'answer' in outcome && outcome.answer instanceof Response && outcome.answer.body
  if (content) unread.register(content, letGo)
  else letGo()
  const milliseconds = Math.round(performance.now() - start)
  tell(settings.hooks?.onAnswer, { ...entryOf(attempt), ...endingOf(outcome), milliseconds })
  if ('error' in outcome) signal?.throwIfAborted()
  return outcome
}

/** Makes so many attempts at most, as long as another one may help. Throws what the last one met. */
export async function repeated<T>(
  first: Attempt,
  attempts: number,
  run: (attempt: Attempt) => Promise<Outcome<T>>,
): Promise<Exclude<Outcome<T>, Failure>> {
  for (let attempt = first; ; attempt = { ...attempt, attempt: attempt.attempt + 1 }) {
    const outcome = await run(attempt)
    if (!('error' in outcome)) return outcome
    const pause = outcome.retryAfter ?? backoff(attempt.attempt)
    if (!outcome.retryable || attempt.attempt >= attempts || pause > longestPause) throw outcome.error
    await pauseBefore(attempt, outcome, pause)
  }
}

/** Waits until a failed attempt is repeated. */
export async function pauseBefore(attempt: Attempt, failure: Failure, pause: number): Promise<void> {
  const { settings, signal } = attempt
  tell(settings.hooks?.onRetry, { ...entryOf(attempt), ...endingOf(failure), pause: Math.round(pause) })
  await sleep(pause, signal)
}

const entryOf = ({ operation, method, path, attempt }: Attempt) => ({ operation, method, path, attempt })

function endingOf(outcome: Outcome<unknown>): Ending {
  if (!('error' in outcome)) return { ...seenIn(outcome), error: null }
  const { error } = outcome
  if (error instanceof ProblemError) return { ...seenIn(error), error: error.problem.code }
  return {
    ...seenIn(error instanceof UnexpectedAnswer ? error : {}),
    error: error instanceof Error ? error.name : 'Error',
  }
}

const seenIn = ({ response }: { response?: ResponseInfo | undefined }) => ({
  status: response?.status ?? null,
  request_id: response?.request_id ?? null,
})
