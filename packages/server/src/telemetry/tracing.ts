import type { Tracer } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import serverPackage from '../../package.json' with { type: 'json' }
import type { SamplerSettings, TracingSettings } from './tracing-settings.ts'

/** Traces of one service. */
export interface Tracing {
  /** Starts the spans of requests and jobs. */
  tracer: Tracer
  /** Whether requests continue the traces of trusted proxies. */
  continues_traces: boolean
  /** Sends what was not sent yet, for three seconds at most. Never throws. */
  close(): Promise<void>
}

export interface TracingLog {
  warn(details: object, message: string): void
}

/** A trace whose collector is away for longer than this is lost: about ten seconds of a busy node. */
const mostWaiting = 4_096
const closeTimeoutMilliseconds = 3_000

/**
 * Sends spans to a collector in the background. If it is slow or away, spans are dropped: nothing waits for it, and no more
 * than 4,096 spans are kept. The packages are loaded here, because most services have no collector.
 */
export async function createTracing(settings: TracingSettings, log: TracingLog): Promise<Tracing> {
  const [sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const own = resources.resourceFromAttributes({
    'service.name': 'workspace-business-service',
    'service.version': serverPackage.version,
  })
  // The package reads OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES itself.
  const named = resources.detectResources({
    detectors: [
      resources.serviceInstanceIdDetector,
      resources.resourceAttributesEnvDetector,
      resources.serviceNameEnvDetector,
    ],
  })
  const exporter = new OTLPTraceExporter({ url: settings.url, headers: { ...settings.headers } })
  const processor = new sdk.BatchSpanProcessor({
    exporter: reportingLoss(exporter, log),
    maxQueueSize: mostWaiting,
    // Writing as many as JSON keeps the event loop busy for a millisecond or two.
    maxExportBatchSize: 256,
    scheduledDelayMillis: 1_000,
  })
  const provider = new sdk.TracerProvider({
    resource: own.merge(named),
    sampler: samplerOf(sdk, settings.sampler),
    spanProcessors: [processor],
  })
  return {
    tracer: provider.getTracer('workspace-business-service', serverPackage.version),
    continues_traces: settings.continues_traces,
    async close() {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, closeTimeoutMilliseconds)
      await Promise.race([provider.shutdown().catch(() => undefined), late])
      clearTimeout(timer)
    },
  }
}

function samplerOf(
  sdk: typeof import('@opentelemetry/sdk-trace'),
  { ratio, follows_parent }: SamplerSettings,
) {
  const root = new sdk.TraceIdRatioBasedSampler(ratio)
  // Spans below a request are sampled as it is, whoever decided that.
  if (follows_parent) return new sdk.ParentBasedSampler({ root })
  return new sdk.ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root })
}

const silenceMilliseconds = 60_000

/** Logs that spans are lost, at most once a minute. The exporter's own reports may quote the collector's answer. */
function reportingLoss(exporter: SpanExporter, log: TracingLog): SpanExporter {
  let lost = 0
  let silentUntil = -Infinity
  const note = (spans: number, error: Error | undefined) => {
    lost += spans
    if (performance.now() < silentUntil) return
    silentUntil = performance.now() + silenceMilliseconds
    log.warn({ spans: lost, reason: reasonOf(error) }, 'spans were lost: the collector did not take them')
    lost = 0
  }
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, result => {
        // ExportResultCode.SUCCESS is 0.
        if ((result.code as number) !== 0) note(spans.length, result.error)
        done({ code: 0 })
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}

/** The code of the network's or the collector's refusal, or the kind of the error. */
function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  const { code } = error ?? {}
  return typeof code === 'string' || typeof code === 'number' ? String(code) : (error?.name ?? 'unknown')
}
