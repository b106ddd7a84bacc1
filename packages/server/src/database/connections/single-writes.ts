import pg from 'pg'
import { sendBatch } from './batch.ts'
import type { ConnectionConfig } from './connection.ts'
import type { ConnectionMetrics } from './connection-metrics.ts'
import type { Values } from '../parameters.ts'
import { setTransactionSettings, settingValues, type Statement } from '../statement.ts'

/** Single statements that write outside of a change, each as its own transaction, on a few connections of their own. */
export interface SingleWrites {
  /** Throws the database's error, or one for a timeout. */
  run<Row>(statement: Statement<Row>, values: Values): Promise<Row[]>
  close(): Promise<void>
}

interface SingleWriteSettings {
  config: ConnectionConfig
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
    async run<Row>(statement: Statement<Row>, values: Values) {
      const client = await pool.connect()
      let isSound = false
      try {
        const rows = await answered(client, config.transactionSettings, statement, values)
        isSound = true
        return rows as Row[]
      } finally {
        client.release(!isSound)
      }
    },
    close: () => pool.end(),
  }
}

function answered(
  client: pg.PoolClient,
  settings: ConnectionConfig['transactionSettings'],
  statement: Statement<unknown>,
  values: Values,
): Promise<object[]> {
  const { promise, resolve, reject } = Promise.withResolvers<object[]>()
  const asked = { ...statement, values, resolve, reject }
  const before = settings && {
    ...setTransactionSettings,
    values: settingValues(settings),
    resolve() {},
    reject,
  }
  sendBatch(client, before ? [before, asked] : [asked], settings !== undefined)
  return promise
}
