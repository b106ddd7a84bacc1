import { createMetrics } from '../../src/telemetry/metrics.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../harness/service.ts'
import { readScrape, type Scrape } from './scrape.ts'

/** A service with metrics. */
export interface MeasuredService {
  service: TestService
  scrape(): Promise<Scrape>
  close(): Promise<void>
}

export async function startMeasuredService(options: TestServiceOptions = {}): Promise<MeasuredService> {
  const metrics = createMetrics({ warn: (details, message) => console.error(message, details) })
  const service = await startTestService({ ...options, meter: metrics.meter })
  return {
    service,
    scrape: async () => readScrape(await metrics.text()),
    async close() {
      await service.close()
      await metrics.close()
    },
  }
}
