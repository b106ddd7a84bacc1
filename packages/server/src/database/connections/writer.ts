import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { sendBatch, type StatementResult, type PendingStatement } from './batch.ts'
import { CommitUnknown, isAbortedTransaction, isConnectionLoss, isRetryable } from '../faults.ts'
import { rowScopeValues, setRowScope, type Reader, type RowScope, type Statement } from '../statement.ts'
import { createWriterTurns, type WriteScope } from './writer-turns.ts'

/** What a mutation writes through: one transaction, READ COMMITTED, its statements carried out in the order in which they are sent. */
export interface Transaction extends Reader {
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
  /** Sends a statement whose rows nobody needs, and does not wait for it. Where it fails, the transaction does. */
  save(statement: Statement<unknown>, values: readonly unknown[]): void
  /** Makes the transaction fail where something fails that sends statements of its own. They must all be sent by now. */
  include(work: Promise<unknown>): void
  /**
   * Sends what `work` sends, before it is known whether it is needed: where the same statements are run next, with the same
   * values, their answers are these; where others are, these are forgotten. They may only lock and read.
   */
  prefetch(work: () => Promise<unknown>): void
  /** Moves the transaction into a Workspace that it has just made, or into which an earlier one of its caller's wrote. */
  enter(scope: RowScope): void
}

export interface WriterPool {
  /**
   * Runs `work` in a transaction and commits it; whatever `work` throws rolls it back. COMMIT is sent with the statements
   * that `work` did not wait for. Deadlocks and serialization failures are tried again. Throws WritersBusy,
   * TooManyWait, and CommitUnknown.
   */
  transaction<T>(scope: WriteScope, work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface WriterSettings {
  config: pg.ClientConfig
  /** How many transactions run at once; more of them wait for their turn. */
  size: number
  /** How many of them for one Workspace; all, unless given. */
  sizePerShare?: number
  /** The same, while others write as well. */
  sizePerShareWhenContended?: number
  /** How long one waits for its turn. */
  timeoutMilliseconds?: number
  onError(error: Error): void
}

const attempts = 3
// Whatever the database's default is: the claim of a key rests on seeing what others have committed meanwhile.
const beginWork = { name: 'begin', text: 'begin isolation level read committed' }
const commitWork = { name: 'commit', text: 'commit' }
export function createWriterPool(settings: WriterSettings): WriterPool {
  const { config, size, onError } = settings
  const turns = createWriterTurns(settings)
  const pool = new pg.Pool({
    ...config,
    pipeline: true,
    max: size,
    idleTimeoutMillis: 30_000,
  })
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))

  async function attempt<T>(scope: RowScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    const tx = begin(client, scope)
    let clean = false
    try {
      const result = await work(tx)
      await tx.commit()
      clean = true
      return result
    } catch (error) {
      tx.close()
      if (error instanceof CommitUnknown) throw error
      clean = await rolledBack(client)
      // What came after a BEGIN that failed was outside of any transaction, and says nothing.
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
          return await turns.inTurn(scope, () => attempt(scope, work))
        } catch (error) {
          if (tries >= attempts || !isRetryable(error)) throw error
          // Who tries again at once may take the same lock from under the other's nose, and both are where they were.
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

async function rolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}

/** Begins a transaction. Nothing is waited for: what its work sends first goes out with it. */
function begin(
  client: pg.PoolClient,
  scope: RowScope,
): Transaction & { begun: Promise<unknown>; commit(): Promise<void>; close(): void } {
  let open = true
  let failure: unknown
  const pending: Promise<unknown>[] = []
  const sentAhead = rememberSent()
  let isAhead = false
  let batch: PendingStatement[] = []

  /** Goes out with all that is sent until the program waits for something. */
  function send({ name, text }: Pick<Statement<unknown>, 'name' | 'text'>, values: readonly unknown[] = []) {
    if (batch.length === 0) process.nextTick(sendGathered)
    return new Promise<StatementResult>((resolve, reject) =>
      batch.push({ name, text, values, resolve, reject }),
    )
  }

  function sendGathered(): void {
    const gathered = batch
    batch = []
    if (gathered.length > 0) sendBatch(client, gathered)
  }

  function include(work: Promise<unknown>): void {
    pending.push(work)
    // It is told of by the commit; where that is not reached, by what was thrown before.
    work.catch(() => undefined)
  }

  function run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    if (!isAhead) return sentAhead.take(statement, values) ?? ask(statement, values)
    const rows = ask(statement, values)
    // Whoever runs the same is told that it failed. Who runs something else is told so by that.
    rows.catch(() => undefined)
    sentAhead.add(statement, values, rows)
    return rows
  }

  async function ask<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    // Work that goes on after its transaction has ended would write into the next one of this connection.
    if (!open) throw new Error(`The transaction was over before ${statement.name}.`)
    try {
      return (await send(statement, values)).rows as Row[]
    } catch (error) {
      failure ??= error
      throw isAbortedTransaction(error) ? failure : error
    }
  }

  const enter = (scope: RowScope) => include(run(setRowScope, rowScopeValues(scope)))

  const begun = send(beginWork)
  include(begun)
  enter(scope)
  return {
    begun,
    run,
    many: run,
    one: async (statement, values) => (await run(statement, values))[0],
    save: (statement, values) => include(run(statement, values)),
    include,
    prefetch(work) {
      isAhead = true
      work().catch(() => undefined)
      isAhead = false
    },
    enter,
    async commit() {
      open = false
      await confirmed(send(commitWork), pending)
    },
    close() {
      open = false
      sendGathered()
    },
  }
}

/** Statements that were sent ahead, and are given out in their order until another one is asked for. */
function rememberSent() {
  let sent: { name: string; values: readonly unknown[]; rows: Promise<unknown[]> }[] = []
  return {
    add({ name }: Statement<unknown>, values: readonly unknown[], rows: Promise<unknown[]>) {
      sent.push({ name, values, rows })
    },
    take<Row>({ name }: Statement<Row>, values: readonly unknown[]): Promise<Row[]> | undefined {
      const next = sent.shift()
      if (next?.name === name && isDeepStrictEqual(next.values, values)) return next.rows as Promise<Row[]>
      sent = []
      return undefined
    },
  }
}

/** Waits for COMMIT and for all that was sent before it. A statement that failed before it says more than COMMIT does. */
async function confirmed(
  commit: Promise<StatementResult>,
  pending: readonly Promise<unknown>[],
): Promise<void> {
  const [committed, ...sent] = await Promise.allSettled([commit, ...pending])
  const failed = sent.find(one => one.status === 'rejected')
  if (failed && !isConnectionLoss(failed.reason)) throw failed.reason
  if (committed.status === 'fulfilled') {
    // A transaction that failed answers COMMIT with ROLLBACK, and no error.
    if (committed.value.command !== 'COMMIT')
      throw new Error('The transaction was rolled back instead of committed.')
  } else if (isConnectionLoss(committed.reason))
    throw new CommitUnknown('The connection was lost during COMMIT.', { cause: committed.reason })
  else throw committed.reason
}
