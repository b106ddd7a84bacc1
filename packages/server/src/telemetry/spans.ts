import { AsyncLocalStorage } from 'node:async_hooks'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api'

/** A request or a job that is traced. Others are not: they have no span, and nothing is recorded for them. */
export interface Traced {
  readonly span: Span
  readonly tracer: Tracer
  /** In which the spans below it start. */
  readonly context: Context
  /** How many spans may still start below it. */
  left: number
  ended: boolean
}

/** How many spans a request or a job may have below it: a stream lasts for hours, and reads as long. */
const mostSpans = 500

/** The traced request or job that this code runs for, through all of its promises. */
export const currentTraced = new AsyncLocalStorage<Traced>()

/** Begins the span of a request or a job. Undefined if it is not sampled. */
export function startTraced(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  parent?: SpanContext,
): Traced | undefined {
  const above = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
  const span = tracer.startSpan(name, options, above)
  if (!span.isRecording()) return undefined
  return { span, tracer, context: trace.setSpan(ROOT_CONTEXT, span), left: mostSpans, ended: false }
}

/** Ends the span of a request or a job. What still runs for it has no spans any more. */
export function endTraced(traced: Traced): void {
  traced.ended = true
  traced.span.end()
}

/** Runs work for a request or a job, so that its spans are below that span. */
export const inTraced = <T>(traced: Traced, work: () => T): T => currentTraced.run(traced, work)

/** The trace that a request or a job belongs to, if it is traced. */
export const currentSpanContext = (): SpanContext | undefined => currentTraced.getStore()?.span.spanContext()

/**
 * Starts a span of something that the current request or job waits for outside of this process. Undefined if none is
 * traced. Names and attributes have no value of a client, and no text of a statement.
 */
export const startClientSpan = (name: string, attributes: Attributes): Span | undefined =>
  startBelow(name, { kind: SpanKind.CLIENT, attributes })

/** The same for a wait within the process. */
export const startWaitSpan = (name: string): Span | undefined => startBelow(name, {})

function startBelow(name: string, options: SpanOptions): Span | undefined {
  const traced = currentTraced.getStore()
  if (!traced || traced.ended || traced.left === 0) return undefined
  traced.left--
  return traced.tracer.startSpan(name, options, traced.context)
}

/** Marks a span as failed, by the kind of failure alone: the text of an error may quote a value. */
export function markFailed(span: Span, kind: string): void {
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

export function endFailed(span: Span, kind: string): void {
  markFailed(span, kind)
  span.end()
}
