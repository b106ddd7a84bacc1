import { SpanKind, TraceFlags, type SpanContext, type Tracer } from '@opentelemetry/api'
import { currentSpanContext, endTraced, inTraced, markFailed, startTraced } from '../telemetry/spans.ts'
import type { JobCause, JobKind } from './job-kinds.ts'

/** The current trace, in the form of W3C Trace Context; undefined if there is none. */
export function currentTraceparent(): string | undefined {
  const context = currentSpanContext()
  return context && `00-${context.traceId}-${context.spanId}-0${context.traceFlags & TraceFlags.SAMPLED}`
}

/**
 * Runs an attempt of a job in a span of its own, below the span of the request that sent it if that was sampled. `work`
 * tells the reason of its failure instead of throwing.
 */
export async function inJobSpan<Failure extends { reason: string }>(
  tracer: Tracer | undefined,
  job: { id: string; kind: JobKind; cause: JobCause | undefined },
  work: () => Promise<Failure | undefined>,
): Promise<Failure | undefined> {
  const { request_id, traceparent } = job.cause ?? {}
  const attributes = {
    'svc.job_id': job.id,
    'svc.job_kind': job.kind,
    ...(request_id !== undefined && { 'svc.request_id': request_id }),
  }
  const options = { kind: SpanKind.CONSUMER, attributes }
  const traced = tracer && startTraced(tracer, `job ${job.kind}`, options, contextOf(traceparent))
  if (!traced) return work()
  try {
    const failure = await inTraced(traced, work)
    if (failure) markFailed(traced.span, failure.reason)
    return failure
  } finally {
    endTraced(traced)
  }
}

function contextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = traceparent?.split('-') ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: Number(flags), isRemote: true }
}
