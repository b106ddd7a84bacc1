import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { faultRecord } from '../../telemetry/fault-record.ts'
import type { FinishedRequest, OnFinished } from './finished-request.ts'
import { asProblem } from './problem-json.ts'

/** Operations that machines call every few seconds to learn whether the node is well. */
const probes = new Set(['health', 'ready'])

/** Writes one line for each request at level `info`; for a probe that found the node well, at `debug`. */
export const logRequests =
  (log: FastifyBaseLogger): OnFinished =>
  finished => {
    const isQuiet = finished.status < 400 && finished.operation !== null && probes.has(finished.operation)
    log[isQuiet ? 'debug' : 'info'](lineOf(finished), messageOf(finished))
  }

/** What says nothing is left out, so that a line is short. */
const lineOf = ({
  milliseconds,
  replayed,
  incomplete,
  operation,
  method,
  path_pattern,
  ...rest
}: FinishedRequest) => ({
  ...rest,
  operation: operation ?? undefined,
  method: method ?? undefined,
  path_pattern: path_pattern ?? undefined,
  ms: Math.round(milliseconds * 10) / 10,
  ...(replayed && { replayed }),
  ...(incomplete && { incomplete }),
})

const messageOf = ({ parser_code }: FinishedRequest): string =>
  parser_code === undefined ? 'request' : 'refused before it became a request'

/** Logs faults with their stack. Refusals are normal, and the line of the request suffices for them unless they have a cause. */
export function logFault(error: unknown, request: FastifyRequest): void {
  const { code, cause } = asProblem(error)
  if (code === 'internal_error') request.log.error({ fault: faultRecord(error) }, 'a request failed')
  else if (cause !== undefined) request.log.error({ fault: faultRecord(cause) }, 'a request failed')
}
