import type { Meter, MetricOptions } from '@opentelemetry/api'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../harness/service.ts'
import { readScrape, type Scrape } from './scrape.ts'

/** A service with metrics. */
export interface MeasuredService {
  service: TestService
  scrape(): Promise<Scrape>
  /** The names of all instruments of the service's parts, as Prometheus has them, whether or not they have a value yet. */
  declared: ReadonlySet<string>
  close(): Promise<void>
}

export async function startMeasuredService(options: TestServiceOptions = {}): Promise<MeasuredService> {
  const metrics = createMetrics({
    warn(details, message) {
      throw new Error(`${message}: ${JSON.stringify(details)}`)
    },
  })
  const declared = new Set<string>()
  const service = await startTestService({ ...options, meter: noting(metrics.meter, declared) })
  return {
    service,
    scrape: async () => readScrape(await metrics.text()),
    declared,
    async close() {
      await service.close()
      await metrics.close()
    },
  }
}

const units: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

/** The same meter, which notes the names of what it makes. */
const noting = (meter: Meter, names: Set<string>): Meter =>
  new Proxy(meter, {
    get(of, kind) {
      const made: unknown = Reflect.get(of, kind)
      if (typeof made !== 'function') return made
      return (...given: unknown[]) => {
        if (String(kind).startsWith('create')) {
          const [name, { unit = '' } = {}] = given as [string, MetricOptions?]
          const end = kind === 'createCounter' || kind === 'createObservableCounter' ? '_total' : ''
          names.add(name.replaceAll('.', '_') + (units[unit] ?? '') + end)
        }
        return made.apply(of, given) as unknown
      }
    },
  })
