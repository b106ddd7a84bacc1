import pg from 'pg'
import type { Reader, RowScope, Statement } from './statement.ts'

/** What a mutation writes through: one transaction, READ COMMITTED, its statements sent without waiting where the caller does not wait. */
export interface Transaction extends Reader {
  run<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
  /** Moves the transaction into a Workspace that it has just made. */
  enter(scope: RowScope): Promise<void>
}

/** The connection broke while COMMIT was under way: whether it took effect has to be looked up. */
export class CommitUnknown extends Error {}

export interface WriterPool {
  /** Runs `work` in a transaction and commits it; whatever `work` throws rolls it back. Deadlocks and serialization failures are tried again. */
  transaction<T>(scope: RowScope, work: (tx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const attempts = 3
const setRowScope = `select set_config('svc.workspace_id', coalesce($1, ''), true), set_config('svc.user_id', coalesce($2, ''), true)`

export function createWriterPool(
  config: pg.ClientConfig,
  size: number,
  onError: (error: Error) => void,
): WriterPool {
  const pool = new pg.Pool({
    ...config,
    pipeline: true,
    max: size,
    idleTimeoutMillis: 30_000,
  } as pg.PoolConfig)
  pool.on('error', onError)
  pool.on('connect', client => client.on('error', onError))

  async function attempt<T>(scope: RowScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken = true
    try {
      const tx = transactionOn(client)
      const result = await begin(client, tx, scope, work)
      await commit(client)
      broken = false
      return result
    } catch (error) {
      if (!(error instanceof CommitUnknown)) broken = !(await rolledBack(client))
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    async transaction(scope, work) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(scope, work)
        } catch (error) {
          if (tries >= attempts || !mayPassNextTime(error)) throw error
        }
      }
    },
    close: () => pool.end(),
  }
}

async function begin<T>(
  client: pg.PoolClient,
  tx: Transaction,
  scope: RowScope,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const begun = client.query('begin')
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

function transactionOn(client: pg.PoolClient): Transaction {
  const run = async <Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await client.query({
      name: statement.name,
      text: statement.text,
      values: values as unknown[],
    })
    return rows as Row[]
  }
  return {
    run,
    many: run,
    one: async (statement, values) => (await run(statement, values))[0],
    async enter(scope) {
      await client.query({
        name: 'row_scope_local',
        text: setRowScope,
        values: [scope.workspace_id, scope.user_id],
      })
    },
  }
}

const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

function mayPassNextTime(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** Waiting for a lock took longer than lock_timeout. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03'

/** The database went away, is starting or stopping, or never answered: nothing is known to be wrong with the request. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error)
  if (state && /^(08|57P0|53300|ECONN|EPIPE|ENOENT|ETIMEDOUT)/.test(state)) return true
  return (
    error instanceof Error &&
    /Connection terminated|not queryable|Client was closed|timeout exceeded when trying to connect|connection timeout/i.test(
      error.message,
    )
  )
}
