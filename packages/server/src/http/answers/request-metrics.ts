import { METHODS } from 'node:http'
import type { Meter } from '@opentelemetry/api'
import { problems } from '@wbs/contract/problems'
import type { OnFinished } from './finished-request.ts'

const methods = new Set(METHODS)

/** In seconds. Most answers take a few milliseconds, and a slot is waited for up to five seconds. */
const boundaries = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Measures finished requests. A path that nobody declared has no name of its own, so that callers cannot add series. */
export function measureRequests(meter: Meter): OnFinished {
  const durations = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description:
      'How long requests took from their arrival until their answer was sent, in seconds; streams and long polls, until they ended.',
    advice: { explicitBucketBoundaries: boundaries },
  })
  const refusals = meter.createCounter('svc.http.refusals', {
    description:
      'Requests that were answered with a problem, by its code and by the limit that was reached, if one was.',
  })
  const replays = meter.createCounter('svc.http.replays', {
    description:
      'Changes that were answered with the stored answer of an earlier request with the same Idempotency-Key.',
  })
  for (const problem of Object.keys(problems)) refusals.add(0, { problem, limit: 'none' })

  return ({ operation, path_pattern, method, status, problem_code, limit, milliseconds, replayed }) => {
    const name = operation ?? path_pattern ?? 'none'
    durations.record(milliseconds / 1000, {
      operation: name,
      'http.request.method': method !== null && methods.has(method) ? method : '_OTHER',
      'http.response.status_code': status,
    })
    if (problem_code !== undefined) refusals.add(1, { problem: problem_code, limit: limit ?? 'none' })
    if (replayed) replays.add(1, { operation: name })
  }
}
