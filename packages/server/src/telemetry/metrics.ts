import type { Meter } from '@opentelemetry/api'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import serverPackage from '../../package.json' with { type: 'json' }
import { measureProcess } from './process-metrics.ts'

/** The metrics of one service. */
export interface Metrics {
  /** Makes the instruments of its parts. */
  meter: Meter
  /** All metrics now, in the text format of Prometheus. */
  text(): Promise<string>
  /** Stops measuring. */
  close(): Promise<void>
}

interface MetricsLog {
  warn(details: object, message: string): void
}

/** How long the metrics that are read from elsewhere may take, in milliseconds; then they are left out. */
const longestCollection = 2_000

/** Measures this process, and whatever has instruments of the meter. */
export function createMetrics(log: MetricsLog): Metrics {
  // It is only read here. Its own server has no timeouts and answers any method.
  const reader = new PrometheusExporter({ preventServerStart: true })
  const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)
  const provider = new MeterProvider({
    readers: [reader],
    resource: resourceFromAttributes({
      'service.name': 'workspace-business-service',
      'service.version': serverPackage.version,
      'process.runtime.name': 'nodejs',
      'process.runtime.version': process.versions.node,
    }),
  })
  const meter = provider.getMeter('workspace-business-service', serverPackage.version)
  const stopMeasuring = measureProcess(meter)
  return {
    meter,
    async text() {
      const { resourceMetrics, errors } = await reader.collect({ timeoutMillis: longestCollection })
      for (const error of errors)
        log.warn({ reason: error instanceof Error ? error.name : typeof error }, 'a metric could not be read')
      return serializer.serialize(withUnitsInNames(resourceMetrics))
    },
    async close() {
      stopMeasuring()
      await provider.shutdown()
    },
  }
}

/** By the convention of Prometheus, names end in their unit, which is written out. The exporter does not do that. */
const units: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes' }

const withUnitsInNames = (all: ResourceMetrics): ResourceMetrics => ({
  ...all,
  scopeMetrics: all.scopeMetrics.map(({ scope, metrics }) => ({
    scope,
    metrics: metrics.map(metric => {
      const unit = units[metric.descriptor.unit]
      if (unit === undefined) return metric
      return {
        ...metric,
        descriptor: { ...metric.descriptor, unit, name: `${metric.descriptor.name}_${unit}` },
      }
    }),
  })),
})
