import type { Meter, ObservableResult } from '@opentelemetry/api'
import type { Bounds } from './bounds.ts'

/** Shows how much of the limits of this node is in use. */
export function measureBounds(meter: Meter, { usage, limits, openStreams }: Bounds): void {
  const gauge = (name: string, description: string, observe: (result: ObservableResult) => void, unit = '') =>
    meter.createObservableGauge(name, { description, unit }).addCallback(observe)

  gauge(
    'svc.http.requests',
    'Requests that are identified, whose body arrives, or that are carried out now.',
    result => {
      const { identifying, unfinished, carried_out } = usage()
      result.observe(identifying, { state: 'identifying' })
      result.observe(unfinished, { state: 'arriving' })
      result.observe(carried_out, { state: 'carried_out' })
    },
  )
  gauge(
    'svc.http.requests.max',
    'How many requests this node identifies, receives and carries out at once at most.',
    result => {
      result.observe(limits.identifying, { state: 'identifying' })
      result.observe(limits.bodies.unfinished, { state: 'arriving' })
      result.observe(limits.capacity, { state: 'carried_out' })
    },
  )
  gauge(
    'svc.http.waiting',
    'Requests that wait without a slot: streams, long polls, and repetitions of a change that runs.',
    result => {
      for (const [kind, count] of Object.entries(openStreams.usage())) result.observe(count, { kind })
    },
  )
  gauge('svc.http.waiting.max', 'How many requests wait at once on this node at most.', result =>
    result.observe(limits.waitingPerNode),
  )
  gauge('svc.http.transfers', 'Downloads and parts of uploads that are in progress.', result =>
    result.observe(usage().transfers),
  )
  gauge(
    'svc.http.transfers.max',
    'How many downloads and parts of uploads are in progress at once on this node at most.',
    result => result.observe(limits.transfers.perNode),
  )
  gauge(
    'svc.http.bodies',
    'Request bodies in memory beyond the first 16 KiB of each, in bytes.',
    result => result.observe(usage().bytes),
    'By',
  )
  gauge(
    'svc.http.bodies.max',
    'How much memory request bodies take on this node at most, in bytes.',
    result => result.observe(limits.bodies.bytes),
    'By',
  )
}
