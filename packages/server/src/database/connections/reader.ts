import pg from 'pg'
import { sendBatch } from './batch.ts'
import { isConnectionLoss, isNotPrepared } from '../faults.ts'
import { poolOfClass, type ConnectionClassConfig } from './connection-classes.ts'
import { type ConnectionConfig, shareOf } from './connection.ts'
import type { ConnectionMetrics } from './connection-metrics.ts'
import type { Values } from '../parameters.ts'
import {
  setRowScope,
  setTransactionSettings,
  settingValues,
  type ConnectionClass,
  type Reader,
  type RowScope,
  type Statement,
} from '../statement.ts'

/**
 * Runs reads as single statements on a few connections that all requests share; a connection for short reads is
 * pipelined. The role may only SELECT.
 */
export interface ReaderPool {
  /** A reader without a row scope: row-level security hides every Workspace's rows from it. */
  unscoped: Reader
  /**
   * A reader of the rows that one Workspace or user may see. The timeout is for its fair turns; it is the default of
   * the class unless given.
   */
  scoped(scope: RowScope, timeoutMilliseconds?: number): Reader
  close(): Promise<void>
}

interface ClassConnection {
  kind: ConnectionClass
  client: Promise<pg.Client> | null
  underWay: number
}

interface ReaderSettings {
  /** The configuration of a connection of a class. */
  config(kind: ConnectionClass): ConnectionConfig
  classes: Readonly<Record<ConnectionClass, ConnectionClassConfig>>
  onError(error: Error, kind: ConnectionClass): void
  metrics?: Pick<ConnectionMetrics, 'watchPool'>
}

export function createReaderPool({ config, classes, onError, metrics }: ReaderSettings): ReaderPool {
  const linesOf = (kind: ConnectionClass): ClassConnection[] =>
    Array.from({ length: classes[kind].connections }, () => ({ kind, client: null, underWay: 0 }))
  const kinds = Object.keys(classes) as ConnectionClass[]
  const lines = Object.fromEntries(kinds.map(kind => [kind, linesOf(kind)])) as Record<
    ConnectionClass,
    ClassConnection[]
  >

  for (const kind of kinds)
    metrics?.watchPool(poolOfClass(kind), classes[kind].connections, () => {
      const open = lines[kind].filter(line => line.client !== null)
      return { open: open.length, used: open.filter(line => line.underWay > 0).length }
    })

  function leastBusy(lines: readonly ClassConnection[]): ClassConnection {
    return lines.reduce((best, line) => (line.underWay < best.underWay ? line : best))
  }

  function connect(line: ClassConnection): Promise<pg.Client> {
    const client = new pg.Client({ ...config(line.kind), pipeline: true })
    const drop = (): void => {
      if (line.client === connected) line.client = null
    }
    client.on('error', error => {
      drop()
      onError(error, line.kind)
    })
    client.on('end', drop)
    const connected = client.connect().then(() => client)
    connected.catch(drop)
    line.client = connected
    return connected
  }

  /** Runs a statement in its turn. Throws ReadersBusy or TooManyWaiting if too many of the same share wait. */
  async function inTurn<Row>(
    scope: RowScope | null,
    timeoutMilliseconds: number | undefined,
    statement: Statement<Row, 'read'>,
    values: Values,
  ): Promise<Row[]> {
    const endTurn = await classes[statement.connectionClass].turns?.take(shareOf(scope), timeoutMilliseconds)
    try {
      return await send(scope, statement, values)
    } finally {
      endTurn?.()
    }
  }

  async function send<Row>(
    scope: RowScope | null,
    statement: Statement<Row, 'read'>,
    values: Values,
  ): Promise<Row[]> {
    const line = leastBusy(lines[statement.connectionClass])
    const connected = line.client ?? connect(line)
    line.underWay++
    try {
      const client = await connected
      const { transactionSettings } = config(line.kind)
      const rows = () =>
        answered(client, transactionSettings, statement.unscoped ? null : scope, statement, values)
      return await rows().catch((error: unknown) => {
        if (isNotPrepared(error)) return rows()
        throw error
      })
    } catch (error) {
      // The stack of the driver's error does not show who asked.
      if (error instanceof Error) Error.captureStackTrace(error)
      if (isConnectionLoss(error)) discard(line, connected)
      throw error
    } finally {
      line.underWay--
    }
  }

  /** The client reports its end later, or never if the network is silent. Until then no other request may use it. */
  function discard(line: ClassConnection, connected: Promise<pg.Client>): void {
    if (line.client !== connected) return
    line.client = null
    connected.then(client => client.end()).catch(() => undefined)
  }

  const reader = (scope: RowScope | null, timeoutMilliseconds?: number): Reader => ({
    many: (statement, values) => inTurn(scope, timeoutMilliseconds, statement, values),
    one: async (statement, values) => (await inTurn(scope, timeoutMilliseconds, statement, values))[0],
  })

  return {
    unscoped: reader(null),
    scoped: reader,
    async close() {
      for (const { turns } of Object.values(classes)) turns?.close()
      const all = Object.values(lines).flat()
      const clients = all.map(line => line.client)
      for (const line of all) line.client = null
      await Promise.all(clients.map(async client => (await client?.catch(() => null))?.end()))
    },
  }
}

/**
 * Sends the settings, the row scope and the statement as one batch, which is one transaction that ends with the scope. So no other
 * request can run in between, or in this scope.
 */
function answered<Row>(
  client: pg.Client,
  settings: ConnectionConfig['transactionSettings'],
  scope: RowScope | null,
  statement: Statement<Row, 'read'>,
  values: Values,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const asked = {
      ...statement,
      values,
      resolve: resolve as (rows: object[]) => void,
      reject,
    }
    const before = [
      ...(settings ? [{ ...setTransactionSettings, values: settingValues(settings) }] : []),
      ...(scope ? [{ ...setRowScope, values: scope }] : []),
    ].map(statement => ({ ...statement, resolve() {}, reject }))
    sendBatch(client, [...before, asked], settings !== undefined)
  })
}
