import type { Meter } from '@opentelemetry/api'
import { TooManyWaiting, type FairTurns, type TurnMetrics } from '../../turns/fair-turns.ts'

/** The connections of a pool now. */
export interface PoolUsage {
  open: number
  /** Those of them that carry out statements. */
  used: number
}

/** Shows how connections to the database are used. The name of a pool says its use, such as `writers`. */
export interface ConnectionMetrics {
  /** Shows the connections of a pool, of which there are at most so many. */
  watchPool(pool: string, most: number, usage: () => PoolUsage): void
  /** Notes that a connection of a pool was lost. */
  noteLoss(pool: string): void
  /** Shows the turns of a pool, of which so many run at once at most. */
  watchTurns(pool: string, most: number, turns: Pick<FairTurns, 'usage'>): void
  /** Measures for how long the turns of a pool are waited for. */
  ofTurns(pool: string): TurnMetrics
}

export function createConnectionMetrics(meter: Meter): ConnectionMetrics {
  const connections = meter.createObservableGauge('db.client.connection.count', {
    description:
      'Open connections to the database by pool: those that carry out statements and those that are idle.',
  })
  const mostConnections = meter.createObservableGauge('db.client.connection.max', {
    description: 'How many connections a pool opens at most.',
  })
  const losses = meter.createCounter('svc.database.connection.losses', {
    description: 'Connections to the database that were lost.',
  })
  const turnsInUse = meter.createObservableGauge('svc.database.turns', {
    description: 'Statements (of writers: transactions) that run and that wait for their turn.',
  })
  const mostTurns = meter.createObservableGauge('svc.database.turns.max', {
    description: 'How many statements (of writers: transactions) may run at once.',
  })
  const waits = meter.createHistogram('svc.database.turn.wait', {
    unit: 's',
    description:
      'How long statements (of writers: transactions) waited for their turn, in seconds; most do not wait.',
    advice: { explicitBucketBoundaries: [0.001, 0.01, 0.05, 0.25, 1, 5] },
  })
  const refusals = meter.createCounter('svc.database.turn.refusals', {
    description:
      'Statements (of writers: transactions) that got no turn, because too many of the same share waited or because the time was up.',
  })

  return {
    watchPool(pool, most, usage) {
      const named = { 'db.client.connection.pool.name': pool }
      losses.add(0, { pool })
      mostConnections.addCallback(result => result.observe(most, named))
      connections.addCallback(result => {
        const { open, used } = usage()
        result.observe(used, { ...named, 'db.client.connection.state': 'used' })
        result.observe(open - used, { ...named, 'db.client.connection.state': 'idle' })
      })
    },
    noteLoss: pool => losses.add(1, { pool }),
    watchTurns(pool, most, turns) {
      mostTurns.addCallback(result => result.observe(most, { pool }))
      turnsInUse.addCallback(result => {
        const { running, waiting } = turns.usage()
        result.observe(running, { pool, state: 'running' })
        result.observe(waiting, { pool, state: 'waiting' })
      })
    },
    ofTurns(pool) {
      const [timeouts, full] = [
        { pool, reason: 'timeout' },
        { pool, reason: 'queue_full' },
      ]
      refusals.add(0, timeouts)
      refusals.add(0, full)
      return {
        waits,
        attributes: { pool },
        refused: error => refusals.add(1, error instanceof TooManyWaiting ? full : timeouts),
      }
    },
  }
}
