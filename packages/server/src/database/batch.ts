import pg from 'pg'
import { types } from './connection.ts'

/** What pg's client calls on a query that it has sent, and what such a query asks of the connection. */
interface Sent extends pg.Submittable {
  name: string | undefined
  text: string | undefined
  prepare(connection: Connection): void
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
  handleError(error: Error, connection: Connection): void
}

interface Connection extends pg.Connection {
  execute(portal: { portal: string }): void
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

type Answered = (error: Error | null, result: pg.QueryResult) => void
const Query = pg.Query as unknown as new (config: pg.QueryConfig, answered: Answered) => Sent

/** A statement of a batch: the driver would end each with a Sync of its own. */
class Statement extends Query {
  failed = false

  _getRows(connection: Connection): void {
    connection.execute({ portal: '' })
  }
  override handleError(error: Error, connection: Connection): void {
    this.failed = true
    super.handleError(error, connection)
  }
}

/**
 * Statements that go to PostgreSQL with one Sync behind the last: it carries them out in order, sends all their answers
 * together, and passes over those behind one that fails. With a Sync each it would send each answer by itself, which costs
 * both sides more than most statements do.
 */
class Batch extends Query {
  readonly statements: Statement[]
  answered = 0

  constructor(statements: Statement[]) {
    super({ text: '' }, () => undefined)
    this.statements = statements
  }

  get current(): Statement | undefined {
    return this.statements[this.answered]
  }
  // The client notes under these what PostgreSQL has prepared.
  override get name(): string | undefined {
    return this.current?.name
  }
  override set name(_: string | undefined) {}
  override get text(): string | undefined {
    return this.current?.text
  }
  override set text(_: string | undefined) {}

  override submit = (connection: pg.Connection): null => {
    for (const [position, statement] of this.statements.entries()) {
      statement.prepare(connection as Connection)
      if (statement.failed) return this.leaveOut(position, connection as Connection)
    }
    connection.sync()
    return null
  }
  /** Ends the batch before a statement with a value that cannot be sent: the driver has closed it, and sent the Sync. */
  leaveOut(position: number, connection: Connection): null {
    const [unsent, ...behind] = this.statements.splice(position)
    if (unsent?.name) {
      delete connection.parsedStatements[unsent.name]
      delete connection.submittedNamedStatements[unsent.name]
    }
    for (const statement of behind)
      statement.handleError(new Error('A statement before this one could not be sent.'), connection)
    return null
  }
  override handleRowDescription(message: unknown): void {
    this.current?.handleRowDescription(message)
  }
  override handleDataRow(message: unknown): void {
    this.current?.handleDataRow(message)
  }
  override handleCommandComplete(message: unknown, connection: Connection): void {
    const statement = this.current
    this.answered++
    statement?.handleCommandComplete(message, connection)
    statement?.handleReadyForQuery(connection)
  }
  override handleError(error: Error, connection: Connection): void {
    const failed = this.statements.slice(this.answered)
    this.answered = this.statements.length
    for (const statement of failed) {
      // What was passed over is not prepared.
      if (statement.name) delete connection.submittedNamedStatements[statement.name]
      statement.handleError(error, connection)
    }
    super.handleError(error, connection)
  }
}

/** Sends statements in one batch. Each is told of its own answer; those behind one that fails, of its error. */
export function sendBatch(client: pg.ClientBase, asked: readonly Asked[]): void {
  const statements = asked.map(
    ({ query, resolve, reject }) =>
      new Statement({ ...query, types }, (error, result) => (error ? reject(error) : resolve(result))),
  )
  client.query(new Batch(statements))
}

/** A statement, and who waits for its answer. */
export interface Asked {
  query: pg.QueryConfig
  resolve(result: pg.QueryResult): void
  reject(error: Error): void
}
