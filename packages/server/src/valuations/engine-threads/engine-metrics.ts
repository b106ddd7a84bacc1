import type { Meter } from '@opentelemetry/api'
import type { EngineThreads } from './engine-threads.ts'

/** Measures what the threads of the engine do. */
export function measureEngine(meter: Meter, engine: Pick<EngineThreads, 'usage'>): void {
  meter
    .createObservableGauge('svc.valuations.orders', {
      description: 'Valuations that threads compute now, and that wait for a thread.',
    })
    .addCallback(result => {
      const { running, waiting } = engine.usage()
      result.observe(running, { state: 'running' })
      result.observe(waiting, { state: 'waiting' })
    })
}
