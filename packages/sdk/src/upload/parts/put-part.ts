import { readAnswer, type Failure } from '../../answer.ts'
import { ProblemError } from '../../errors.ts'
import { exchange, repeated } from '../../exchange.ts'
import { infoOf } from '../../response-info.ts'
import type { ClientSettings } from '../../settings.ts'
import type { PartUrls } from './part-urls.ts'
import type { Part } from './read-parts.ts'
import { transfer } from './transfer.ts'

/** The slowest line that a part is sent on: 16 KiB a second. */
const leastRate = 16 * 1024

/**
 * Sends a part, and again after a failure, to a new address if that may help. One lost part would end a long upload, so a
 * part is sent up to twice as often as a request. Throws ProblemError, UnexpectedAnswer or what fetch throws.
 */
export async function putPart(
  settings: ClientSettings,
  urls: PartUrls,
  { part_number, bytes }: Part,
  signal: AbortSignal,
  report?: (sent_bytes: number) => void,
): Promise<void> {
  const size = bytes instanceof Blob ? bytes.size : bytes.length
  const first = {
    settings,
    operation: 'send_part',
    method: 'PUT',
    path: null,
    attempt: 1,
    timeout: (settings.timeout ?? 30_000) + (size / leastRate) * 1000,
    signal,
  }
  await repeated(first, 2 * (settings.attempts ?? 3), async attempt => {
    if (attempt.attempt > 1) urls.forget()
    const url = await urls.of(part_number)
    return exchange(attempt, async bounds => {
      const response = await transfer(settings, url, bytes, bounds, report)
      const text = await response.text()
      return response.ok ? { answer: null, response: infoOf(response) } : refusal(response, text)
    })
  })
}

/** An address that has expired is refused with 403. A store answers in XML, from which only the status is read. */
function refusal(response: Response, text: string): Failure {
  const failure = readAnswer(response, text) as Failure
  const { status } = response
  const isLost = status === 400 && !(failure.error instanceof ProblemError)
  return { ...failure, retryable: failure.retryable || status === 403 || status >= 500 || isLost }
}
