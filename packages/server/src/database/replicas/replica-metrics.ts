import type { Meter } from '@opentelemetry/api'
import type { PublicReadsUsage } from './public-reads.ts'
import type { ReplicaUse } from './replica.ts'

/** Shows how far the replicas are, and who answers what may be read from one. Without replicas it shows nothing. */
export function watchReplicas(
  meter: Meter,
  replicas: () => readonly ReplicaUse[],
  reads: () => PublicReadsUsage,
): void {
  if (replicas().length === 0) return
  const lag = meter.createObservableGauge('svc.database.replica.lag', {
    unit: 's',
    description: 'How old the answers of a read replica are at most, in seconds. NaN while that is unknown.',
  })
  const used = meter.createObservableGauge('svc.database.replica.used', {
    description: 'Whether a read replica is used: 1, or 0 while it is left out.',
  })
  const counts = meter.createObservableCounter('svc.database.public_reads', {
    description:
      'Reads that a replica may answer, by who did. Those repeated by the primary had failed on a replica.',
  })
  lag.addCallback(result => {
    // The SDK repeats what was observed earlier, so an unknown lag is observed too.
    for (const { position, lag } of replicas()) result.observe(lag ?? NaN, { replica: position })
  })
  used.addCallback(result => {
    for (const { position, used } of replicas()) result.observe(used ? 1 : 0, { replica: position })
  })
  counts.addCallback(result => {
    const { primary, replica, repeated } = reads()
    result.observe(primary - repeated, { answered_by: 'primary' })
    result.observe(repeated, { answered_by: 'primary_after_replica' })
    result.observe(replica, { answered_by: 'replica' })
  })
}
