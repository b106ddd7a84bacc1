import pg from 'pg'
import type { ConnectionMetrics } from './connection-metrics.ts'
import type { Statement } from '../statement.ts'

/** Single statements that write outside of a change, each as its own transaction, on a few connections of their own. */
export interface SingleWrites {
  /** Throws the database's error, or one for a timeout. */
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

interface SingleWriteSettings {
  config: pg.ClientConfig
  size: number
  onError(error: Error): void
  metrics?: Pick<ConnectionMetrics, 'watchPool'>
}

export function createSingleWrites({ config, size, onError, metrics }: SingleWriteSettings): SingleWrites {
  const pool = new pg.Pool({ ...config, max: size, idleTimeoutMillis: 30_000 })
  metrics?.watchPool('counters', size, () => ({
    open: pool.totalCount,
    used: pool.totalCount - pool.idleCount,
  }))
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))
  return {
    async run<Row>({ name, text }: Statement<Row>, values: readonly unknown[]) {
      return (await pool.query({ name, text, values: values as unknown[] })).rows as Row[]
    },
    close: () => pool.end(),
  }
}
