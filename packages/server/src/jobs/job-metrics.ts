import type { Meter } from '@opentelemetry/api'
import { jobKinds, type JobKind } from './job-kinds.ts'

/** Counts what the workers of this node do. */
export interface JobMetrics {
  /** Notes an attempt that took so many milliseconds. */
  noteAttempt(kind: JobKind, outcome: 'succeeded' | 'failed', milliseconds: number): void
  /** Notes a job that failed at every attempt. */
  noteGivenUp(kind: string | null | undefined): void
}

export function createJobMetrics(meter: Meter): JobMetrics {
  const durations = meter.createHistogram('svc.jobs.duration', {
    unit: 's',
    description: 'How long attempts at jobs took on this node, in seconds. A failed attempt is tried again.',
    advice: { explicitBucketBoundaries: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600] },
  })
  const givenUp = meter.createCounter('svc.jobs.given_up', {
    description: 'Jobs that failed at every attempt, counted on the node that noticed.',
  })
  for (const kind of jobKinds) givenUp.add(0, { kind })
  return {
    noteAttempt: (kind, outcome, milliseconds) => durations.record(milliseconds / 1000, { kind, outcome }),
    // A kind of another version is counted, but not by its name.
    noteGivenUp: kind => givenUp.add(1, { kind: jobKinds.find(known => known === kind) ?? 'other' }),
  }
}
