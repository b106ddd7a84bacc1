import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { createFairTurns, type FairTurns } from '../../turns/fair-turns.ts'
import { sendBatch, type PendingStatement } from './batch.ts'
import { requireCommitted, watchReplication } from './confirm-commit.ts'
import {
  CommitUnknown,
  isAbortedTransaction,
  isReadOnlyServer,
  isRetryable,
  NotWritable,
  WritersBusy,
} from '../faults.ts'
import {
  setRowScope,
  setTransactionSettings,
  settingValues,
  type Reader,
  type RowScope,
  type Statement,
} from '../statement.ts'
import type { Values } from '../parameters.ts'
import { type ConnectionConfig, partyOf, shareOf } from './connection.ts'
import type { ConnectionMetrics } from './connection-metrics.ts'

/** The transaction of a mutation: READ COMMITTED, with its statements run in the order in which they are sent. */
export interface Transaction extends Reader {
  run<Row>(statement: Statement<Row>, values: Values): Promise<Row[]>
  /** Sends a statement without waiting for its result. If it fails, the transaction fails. */
  save(statement: Statement<unknown>, values: Values): void
  /** COMMIT waits for this work as well, and the transaction fails if it fails. All of its statements must be sent by now. */
  include(work: Promise<unknown>): void
  /**
   * Sends the statements of `work` early. The statements that are run next get these results as long as they are the
   * same, with the same values; at the first difference the rest is dropped. Prefetched statements may only lock and
   * read.
   */
  prefetch(work: () => Promise<unknown>): void
  /**
   * Changes the row scope: to a Workspace that the transaction has just created, or one in which an earlier command of
   * the caller wrote.
   */
  enter(scope: RowScope): void
}

export interface WriterPool {
  /**
   * Runs `work` in a transaction and commits it; if `work` throws, rolls it back. COMMIT is sent together with the
   * statements that `work` did not wait for. Retries deadlocks and serialization failures. Throws WritersBusy,
   * TooManyWaiting and CommitUnknown.
   */
  transaction<T>(scope: WriteScope, work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/**
 * The row scope of a transaction, and the share that it is charged to where that differs: a caller who names a
 * Workspace need not belong to it.
 */
export interface WriteScope extends RowScope {
  share?: string
}

/** What is sent of a statement. */
type Sent<Row> = Pick<Statement<Row>, 'name' | 'text' | 'parameters' | 'row'>

interface WriterSettings {
  config: ConnectionConfig
  /** How many transactions run at once; others wait for their turn. */
  size: number
  /** How many of them for one Workspace. Default: all. */
  sizePerShare?: number
  /** The same while others write. */
  sizePerShareWhenContended?: number
  /** How long a transaction waits for its turn. */
  timeoutMilliseconds?: number
  onError(error: Error): void
  metrics?: Pick<ConnectionMetrics, 'watchTurns' | 'ofTurns' | 'watchPool'>
}

const attempts = 3
// Set explicitly, whatever the default of the database: the claim of a key must see what others committed meanwhile.
const beginWork = { name: 'begin', text: 'begin isolation level read committed', parameters: [] }
const commitWork = { name: 'commit', text: 'commit', parameters: [] }

export function createWriterPool(settings: WriterSettings): WriterPool {
  const { config, size, onError, metrics } = settings
  const turns = turnsOf(settings)
  const pool = new pg.Pool({
    ...config,
    pipeline: true,
    max: size,
    idleTimeoutMillis: 30_000,
  })
  metrics?.watchTurns('writers', size, turns)
  metrics?.watchPool('writers', size, () => ({
    open: pool.totalCount,
    used: pool.totalCount - pool.idleCount,
  }))
  pool.on('error', onError)
  const replication = watchReplication()
  pool.on('connect', client => {
    client.on('error', onError)
    replication.watch(client)
  })

  /** Runs a transaction in its turn, so that it does not wait in the pool. */
  async function attempt<T>(scope: WriteScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const endTurn = await turns.take(scope.share ?? shareOf(scope))
    try {
      return await runOn(await pool.connect(), scope, work)
    } finally {
      endTurn()
    }
  }

  async function runOn<T>(
    client: pg.PoolClient,
    scope: RowScope,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const tx = begin(client, scope, config.transactionSettings)
    let clean = false
    try {
      const result = await work(tx)
      await tx.commit()
      replication.requireWaited(client)
      clean = true
      return result
    } catch (error) {
      tx.close()
      if (error instanceof CommitUnknown) throw error
      if (isReadOnlyServer(error))
        throw new NotWritable('The database that is connected only reads.', { cause: error })
      clean = await rolledBack(client)
      // If BEGIN failed, the statements after it ran outside a transaction, and BEGIN's error is the one to throw.
      await tx.begun
      throw error
    } finally {
      client.release(!clean || client.getTransactionStatus() !== 'I')
    }
  }

  return {
    async transaction(scope, work) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(scope, work)
        } catch (error) {
          if (tries >= attempts || !isRetryable(error)) throw error
          // Random back-off, so that two transactions that deadlocked do not meet again.
          await sleep(tries * (10 + Math.random() * 40))
        }
      }
    },
    async close() {
      turns.close()
      await pool.end()
    },
  }
}

/** As many at once as there are connections, so that a Workspace whose changes block each other never holds all of them. */
const turnsOf = ({
  size,
  sizePerShare = size,
  sizePerShareWhenContended = sizePerShare,
  timeoutMilliseconds = 3000,
  metrics,
}: WriterSettings): FairTurns =>
  createFairTurns({
    total: size,
    perShare: sizePerShare,
    perShareWhenContended: sizePerShareWhenContended,
    queuePerShare: 128,
    timeoutMilliseconds,
    timeoutError: () => new WritersBusy('No connection for writing was free in time.'),
    partyOf,
    metrics: metrics?.ofTurns('writers'),
  })

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}

/** Begins a transaction. BEGIN is sent together with the first statements of the work. */
function begin(
  client: pg.PoolClient,
  scope: RowScope,
  settings: ConnectionConfig['transactionSettings'],
): Transaction & { begun: Promise<unknown>; commit(): Promise<void>; close(): void } {
  let open = true
  let failure: unknown
  const pending: Promise<unknown>[] = []
  /** Prefetched statements, handed out in order until a different one is run. */
  let prefetched: { name: string; text: string; values: Values; rows: Promise<unknown[]> }[] = []
  let isPrefetching = false
  let batch: PendingStatement[] = []

  /** Batches all statements until the program next waits for something. */
  function run<Row>({ name, text, parameters }: Sent<Row>, values: Values): Promise<Row[]> {
    const known =
      !isPrefetching && prefetched.length > 0 ? takePrefetched<Row>(name, text, values) : undefined
    if (known) return known
    // After its end, the statement would run in the next transaction of this connection.
    if (!open) return Promise.reject(new Error(`The transaction had ended before ${name}.`))
    if (failure !== undefined) return Promise.reject(failure)
    if (batch.length === 0) process.nextTick(sendGathered)
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
    batch.push({
      name,
      text,
      parameters,
      values,
      resolve: resolve as (rows: object[]) => void,
      reject(error) {
        failure ??= error
        reject(isAbortedTransaction(error) ? failure : error)
      },
    })
    if (!isPrefetching) return promise
    // Whoever runs the same statement gets the error. Whoever runs another one does not need it.
    promise.catch(() => undefined)
    prefetched.push({ name, text, values, rows: promise })
    return promise
  }

  function takePrefetched<Row>(name: string, text: string, values: Values): Promise<Row[]> | undefined {
    const next = prefetched.shift()
    if (next?.name === name && next.text === text && isDeepStrictEqual(next.values, values))
      return next.rows as Promise<Row[]>
    prefetched = []
    return undefined
  }

  function sendGathered(): void {
    const gathered = batch
    batch = []
    if (gathered.length > 0) sendBatch(client, gathered, settings !== undefined)
  }

  function include(work: Promise<unknown>): void {
    pending.push(work)
    // The commit reports the error; if it is not reached, an earlier error was thrown.
    work.catch(() => undefined)
  }

  const enter = (scope: RowScope) => include(run(setRowScope, scope))

  const begun = run(beginWork, {})
  include(begun)
  if (settings) include(run(setTransactionSettings, settingValues(settings)))
  enter(scope)
  return {
    begun,
    run,
    many: run,
    one: async (statement, values) => (await run(statement, values))[0],
    save: (statement, values) => include(run(statement, values)),
    include,
    prefetch(work) {
      isPrefetching = true
      work().catch(() => undefined)
      isPrefetching = false
    },
    enter,
    async commit() {
      open = false
      if (failure !== undefined) throw failure
      if (batch.length === 0) process.nextTick(sendGathered)
      const { promise: commit, resolve, reject } = Promise.withResolvers<string>()
      batch.push({ ...commitWork, values: {}, resolve: (_rows, command) => resolve(command), reject })
      const [committed, ...before] = await Promise.allSettled([commit, ...pending])
      const rollBack = () => rolledBack(client)
      await requireCommitted({ committed, before, firstFailure: failure, rollBack })
    },
    close() {
      open = false
      sendGathered()
    },
  }
}
