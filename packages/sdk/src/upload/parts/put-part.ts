import { readAnswer, type Failure } from '../../answer.ts'
import { ProblemError } from '../../errors.ts'
import { backoff, longestPause, sleep } from '../../pauses.ts'
import type { ClientSettings } from '../../settings.ts'
import type { PartUrls, PartUrl } from './part-urls.ts'
import type { Part } from './read-parts.ts'

/** The slowest line that a part is sent on: 16 KiB a second. */
const leastRate = 16 * 1024

/**
 * Sends a part, and again after a failure, to a new address if that may help. One lost part would end a long upload, so a
 * part is sent up to twice as often as a request. Throws ProblemError, UnexpectedAnswer or what fetch throws.
 */
export async function putPart(
  settings: ClientSettings,
  urls: PartUrls,
  part: Part,
  signal: AbortSignal,
): Promise<void> {
  const attempts = 2 * (settings.attempts ?? 3)
  for (let attempt = 1; ; attempt++) {
    const failure = await attemptPart(settings, await urls.of(part.part_number), part, signal)
    if (failure === null) return
    const pause = failure.retryAfter ?? backoff(attempt)
    if (!failure.retryable || attempt >= attempts || pause > longestPause) throw failure.error
    urls.forget()
    await sleep(pause, signal)
  }
}

/** Sends a part once. Gives null, or how it failed. */
async function attemptPart(
  settings: ClientSettings,
  { method, url, headers }: PartUrl,
  { bytes }: Part,
  signal: AbortSignal,
): Promise<Failure | null> {
  const size = bytes instanceof Blob ? bytes.size : bytes.length
  const timeout = (settings.timeout ?? 30_000) + (size / leastRate) * 1000
  const limit = new AbortController()
  const timer = setTimeout(
    () => limit.abort(new DOMException('Sending a part took too long.', 'TimeoutError')),
    timeout,
  )
  try {
    const response = await (settings.fetch ?? fetch)(url, {
      method,
      headers,
      body: bytes as Blob | Uint8Array<ArrayBuffer>,
      redirect: 'error',
      credentials: 'omit',
      signal: AbortSignal.any([signal, limit.signal]),
    })
    const text = await response.text()
    return response.ok ? null : refusal(response, text)
  } catch (error) {
    signal.throwIfAborted()
    return { error, retryable: true }
  } finally {
    clearTimeout(timer)
  }
}

/** An address that has expired is refused with 403. A store answers in XML, from which only the status is read. */
function refusal(response: Response, text: string): Failure {
  const failure = readAnswer(response, text) as Failure
  const { status } = response
  const isLost = status === 400 && !(failure.error instanceof ProblemError)
  return { ...failure, retryable: failure.retryable || status === 403 || status >= 500 || isLost }
}
