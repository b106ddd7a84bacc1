import { quantile, rounded } from '../../bench/quantiles.ts'
import { createClient, type Client, type ClientSettings } from '../../packages/sdk/src/index.ts'
import type { CallFigures, FailedAttempt } from './records.ts'

/** Records the calls of one kind, and the attempts that they needed. */
export interface CallRecorder {
  /** A client that makes one call at a time. */
  client(settings: ClientSettings): RecordedClient
  /** All attempts that failed so far. */
  failed: FailedAttempt[]
  succeeded(): number
  figures(seconds: number): CallFigures
}

export interface RecordedClient {
  /** Makes a call. Throws what its last attempt met. */
  call<T>(make: (client: Client) => Promise<T>): Promise<T>
  /** How many attempts the last call has needed so far. */
  attempts(): number
}

/** Requests are sent with the given function. */
export function createRecorder(send: typeof fetch = fetch): CallRecorder {
  const failed: FailedAttempt[] = []
  const took: number[] = []
  let failures = 0
  let lastSuccess = Date.now()
  let longestPause = 0

  return {
    failed,
    succeeded: () => took.length,
    client(settings) {
      let attempts = 0
      let cause = ''
      const client = createClient({
        ...settings,
        async fetch(...sent) {
          try {
            return await send(...sent)
          } catch (error) {
            cause = causeOf(error)
            throw error
          }
        },
        hooks: {
          onRequest: () => void attempts++,
          onAnswer({ operation, status, error, milliseconds }) {
            if (error === null) return
            const reason = status === null ? cause || error : error
            failed.push({ at: Date.now(), operation, status, reason, milliseconds })
          },
        },
      })
      return {
        attempts: () => attempts,
        async call(make) {
          attempts = 0
          const begun = performance.now()
          try {
            const answer = await make(client)
            took.push(performance.now() - begun)
            longestPause = Math.max(longestPause, Date.now() - lastSuccess)
            lastSuccess = Date.now()
            return answer
          } catch (error) {
            failures++
            throw error
          }
        },
      }
    },
    figures: seconds => ({
      succeeded: took.length,
      per_second: rounded(took.length / seconds, 1),
      p50_ms: rounded(quantile(took, 0.5), 1),
      p99_ms: rounded(quantile(took, 0.99), 1),
      max_ms: rounded(quantile(took, 1), 1),
      longest_pause_ms: Math.max(longestPause, Date.now() - lastSuccess),
      failed_attempts: failed.filter(({ status }) => status === null || status >= 500).length,
      limited_attempts: failed.filter(({ status }) => status === 429).length,
      failed: failures,
    }),
  }
}

/** What the socket said; fetch itself says only that it failed. */
function causeOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown }
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause ? `${String(cause.code)} ${cause.message}` : cause.message
}
