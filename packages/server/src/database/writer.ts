import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { CommitUnknown, followsFailure, isConnectionLoss, mayPassNextTime, WritersBusy } from './faults.ts'
import { inTime } from './in-time.ts'
import type { Reader, RowScope, Statement } from './statement.ts'

/** What a mutation writes through: one transaction, READ COMMITTED, its statements sent without waiting where the caller does not wait. */
export interface Transaction extends Reader {
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
  /** Moves the transaction into a Workspace that it has just made, or into which an earlier one of its caller's wrote. */
  enter(scope: RowScope): Promise<void>
}

export interface WriterPool {
  /**
   * Runs `work` in a transaction and commits it; whatever `work` throws rolls it back. Deadlocks and serialization
   * failures are tried again. Throws WritersBusy, and CommitUnknown.
   */
  transaction<T>(scope: RowScope, work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface WriterSettings {
  config: pg.ClientConfig
  /** How many transactions run at once; more of them wait for their turn. */
  size: number
  /** How long one waits for its turn. */
  patienceMilliseconds?: number
  onError(error: Error): void
}

const attempts = 3
const setRowScope = `select set_config('svc.workspace_id', coalesce($1, ''), true), set_config('svc.user_id', coalesce($2, ''), true)`

export function createWriterPool(settings: WriterSettings): WriterPool {
  const { config, size, patienceMilliseconds = 3000, onError } = settings
  const pool = new pg.Pool({
    ...config,
    pipeline: true,
    max: size,
    idleTimeoutMillis: 30_000,
  })
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))

  /** A connection. Making one may take its time; waiting for others to give theirs back may not. */
  function checkOut(): Promise<pg.PoolClient> {
    const allTaken = pool.totalCount >= size && pool.idleCount <= pool.waitingCount
    const turn = pool.connect()
    return allTaken ? within(patienceMilliseconds, turn) : turn
  }

  async function attempt<T>(scope: RowScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await checkOut()
    const tx = transactionOn(client)
    let clean = false
    try {
      const result = await begin(client, tx, scope, work)
      tx.close()
      await commit(client)
      clean = true
      return result
    } catch (error) {
      tx.close()
      if (!(error instanceof CommitUnknown)) clean = await rolledBack(client)
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
          if (tries >= attempts || !mayPassNextTime(error)) throw error
          // Who tries again at once may take the same lock from under the other's nose, and both are where they were.
          await sleep(tries * (10 + Math.random() * 40))
        }
      }
    },
    close: () => pool.end(),
  }
}

async function within(milliseconds: number, turn: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  try {
    return await inTime(milliseconds, turn, () => new WritersBusy('All connections for writing are taken.'))
  } catch (error) {
    // The turn still comes; nobody is there to take it.
    if (error instanceof WritersBusy)
      turn.then(
        client => client.release(),
        () => undefined,
      )
    throw error
  }
}

async function begin<T>(
  client: pg.PoolClient,
  tx: Transaction,
  scope: RowScope,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  // Whatever the database's default is: the claim of a key rests on seeing what others have committed meanwhile.
  const begun = client.query('begin isolation level read committed')
  const entered = tx.enter(scope)
  const worked = work(tx)
  const [result] = await Promise.all([worked, begun, entered])
  return result
}

async function commit(client: pg.PoolClient): Promise<void> {
  try {
    const { command } = await client.query('commit')
    // A transaction that failed answers COMMIT with ROLLBACK, and no error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back instead of committed.')
  } catch (error) {
    if (isConnectionLoss(error))
      throw new CommitUnknown('The connection was lost during COMMIT.', { cause: error })
    throw error
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

function transactionOn(client: pg.PoolClient): Transaction & { close(): void } {
  let open = true
  let failure: unknown

  async function query(statement: { name: string; text: string }, values: readonly unknown[]) {
    // Work that goes on after its transaction has ended would write into the next one of this connection.
    if (!open) throw new Error(`The transaction was over before ${statement.name}.`)
    try {
      const { name, text } = statement
      return (await client.query({ name, text, values: values as unknown[] })).rows
    } catch (error) {
      failure ??= error
      throw followsFailure(error) ? failure : error
    }
  }

  const run = async <Row>(statement: Statement<Row>, values: readonly unknown[]) =>
    (await query(statement, values)) as Row[]
  return {
    run,
    many: run,
    one: async (statement, values) => (await run(statement, values))[0],
    async enter(scope) {
      await query({ name: 'row_scope_local', text: setRowScope }, [scope.workspace_id, scope.user_id])
    },
    close: () => void (open = false),
  }
}
