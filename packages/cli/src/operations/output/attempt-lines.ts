import { oneLine } from '../../one-line.ts'
import type { Attempt } from '../sending/watched-fetch.ts'

const shownHeaders = ['svc-request-id', 'svc-api-version', 'svc-version', 'ratelimit', 'retry-after', 'etag']

/** An attempt for --verbose, without anything secret. */
export function attemptLines({ method, path, milliseconds, status, headers }: Attempt): string[] {
  const shown = shownHeaders.flatMap(name => {
    const value = headers?.get(name)
    return value ? [`  ${name}: ${oneLine(value)}`] : []
  })
  return [`${method} ${oneLine(path)}: ${status ?? 'no answer'} after ${milliseconds} ms`, ...shown]
}
