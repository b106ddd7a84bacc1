import { SpanKind, TraceFlags, type SpanContext, type Tracer } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { endTraced, markFailed, startTraced, type Traced } from '../../telemetry/spans.ts'
import type { FinishedRequest } from './finished-request.ts'

/** How requests are traced. */
export interface RequestTracing {
  tracer: Tracer
  /** Whether the header Traceparent of a request is followed that this peer sent; it may be that of anybody else. */
  followsTraceOf(peer: string): boolean
}

/** Starts the span of a request. Undefined if it is not sampled. */
export function startRequestSpan(
  { tracer, followsTraceOf }: RequestTracing,
  request: FastifyRequest,
  path_pattern: string | null,
): Traced | undefined {
  const { method } = request
  const name = path_pattern === null ? method : `${method} ${path_pattern}`
  // The address and the query are left out: they contain ids and tokens.
  const attributes = {
    'http.request.method': method,
    'url.scheme': request.protocol,
    ...(path_pattern !== null && { 'http.route': path_pattern }),
  }
  const above = followsTraceOf(request.raw.socket.remoteAddress ?? '') ? parentOf(request) : undefined
  return startTraced(tracer, name, { kind: SpanKind.SERVER, attributes }, above)
}

/** Ends the span of a request with what the log says of it. */
export function endRequestSpan(traced: Traced, finished: FinishedRequest): void {
  const { span } = traced
  const { status, operation, problem_code, principal, workspace_id, replayed, incomplete } = finished
  span.setAttribute('http.response.status_code', status)
  span.setAttribute('svc.request_id', finished.request_id)
  if (operation !== null) span.setAttribute('svc.operation', operation)
  if (principal !== undefined) span.setAttribute('svc.principal', principal)
  if (workspace_id !== undefined) span.setAttribute('svc.workspace_id', workspace_id)
  if (problem_code !== undefined) span.setAttribute('svc.problem_code', problem_code)
  if (replayed) span.setAttribute('svc.replayed', true)
  if (incomplete) span.setAttribute('svc.incomplete', true)
  if (status >= 500) markFailed(span, problem_code ?? String(status))
  endTraced(traced)
}

// W3C Trace Context. Versions after 00 may have more behind the flags.
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

function parentOf({ headers: { traceparent } }: FastifyRequest): SpanContext | undefined {
  const [, traceId, spanId, flags] = form.exec(typeof traceparent === 'string' ? traceparent : '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return { traceId, spanId, traceFlags, isRemote: true }
}
