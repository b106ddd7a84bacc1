import type { Meter } from '@opentelemetry/api'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'
import { addressKey } from '../../limits/address.ts'
import { noMeter } from '../../telemetry/meter.ts'
import { createKeyedCounter } from './keyed-counter.ts'

export interface ConnectionSettings {
  log: FastifyBaseLogger
  /** How many connections may be open. Default: 10,000. */
  maxConnections?: number
  /** How many per address, except addresses of proxies. Default: 1,000. */
  maxConnectionsPerAddress?: number
  /** Whether an address is that of a proxy, which has many clients. */
  isProxy?(address: string): boolean
  /** Default: nothing is measured. */
  meter?: Meter
}

const silenceBetweenWarnings = 60_000

/** Refuses connections beyond the limits of the node and of one address. */
export function boundConnections({ server }: FastifyInstance, settings: ConnectionSettings): void {
  const { log, maxConnections = 10_000, maxConnectionsPerAddress = 1_000, isProxy = () => false } = settings
  const { meter = noMeter } = settings
  const ofAddresses = createKeyedCounter()
  let silentUntil = 0
  meter
    .createObservableGauge('svc.http.connections', { description: 'Open connections of clients.' })
    .addCallback(result => result.observe(ofAddresses.total()))
  meter
    .createObservableGauge('svc.http.connections.max', {
      description: 'How many connections of clients are open at once on this node at most.',
    })
    .addCallback(result => result.observe(maxConnections))
  const refusals = meter.createCounter('svc.http.connections.refused', {
    description:
      'Connections that were refused, because too many were open on this node or from one address.',
  })
  refusals.add(0)
  const warn = () => {
    refusals.add(1)
    if (performance.now() < silentUntil) return
    silentUntil = performance.now() + silenceBetweenWarnings
    log.warn({ open: ofAddresses.total() }, 'too many connections are open; new ones are refused')
  }
  server.maxConnections = maxConnections
  server.on('drop', warn)
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const address = addressKey(remoteAddress)
    if (ofAddresses.of(address) >= maxConnectionsPerAddress && !isProxy(remoteAddress)) {
      warn()
      socket.destroy()
    } else socket.once('close', ofAddresses.add(address))
  })
}
