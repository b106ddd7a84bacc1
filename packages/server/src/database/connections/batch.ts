import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { withBatchSpan } from './batch-span.ts'
import { valuesInOrder, type Values } from '../parameters.ts'
import { types } from './connection.ts'

/** A statement to send, and the promise of its result. */
export interface PendingStatement {
  name: string
  text: string
  parameters: readonly string[]
  values: Values
  resolve(answer: StatementResult): void
  reject(error: Error): void
}

export interface StatementResult {
  /** The command tag of PostgreSQL: COMMIT, or ROLLBACK if the transaction had failed. */
  command: string
  rows: object[]
}

/**
 * Sends statements in one batch. Each gets its own result. If one fails or cannot be sent, those after it get the same
 * error. A pooler remembers a statement even if PostgreSQL skipped it, and refuses to be told of it again.
 */
export function sendBatch(
  client: pg.ClientBase,
  pending: readonly PendingStatement[],
  isPooled = false,
): void {
  const asked = withBatchSpan(pending)
  const statements: Statement[] = []
  for (const [position, one] of asked.entries())
    try {
      statements.push({
        pending: one,
        values: valuesInOrder(one, one.values).map(value => utils.prepareValue(value)),
        rows: [],
      })
    } catch (error) {
      for (const unsent of asked.slice(position)) unsent.reject(error as Error)
      break
    }
  if (statements.length > 0) client.query(new Batch(statements, isPooled))
}

interface Statement {
  pending: PendingStatement
  values: (string | Buffer | null)[]
  rows: object[]
  /** Set if one of its rows could not be parsed. */
  unreadable?: Error
}

/** How to parse the rows of a prepared statement. It cannot change while the statement is prepared. */
interface RowShape {
  fields: readonly { name: string; read: Read }[]
  empty: object
}

type Read = (text: string) => unknown

/** The parts of pg's connection that a query uses, and its record of prepared statements. */
interface Connection {
  parse(statement: { name: string; text: string; types: [] }): void
  bind(bound: { statement: string; values: readonly unknown[] }): void
  describe(portal: { type: 'P'; name: '' }): void
  execute(portal: { portal: '' }): void
  sync(): void
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

/** What pg's client calls on a query in progress. */
interface SentQuery extends pg.Submittable {
  name: string | undefined
  text: string | undefined
  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void
  handleDataRow(message: { fields: (string | null)[] }): void
  handleCommandComplete(message: { text: string }, connection: Connection): void
  handleError(error: Error, connection: Connection): void
}

const Query = pg.Query as unknown as new (config: { text: string }, answered: () => void) => SentQuery

const shapesOf = new WeakMap<Connection, Map<string, RowShape>>()

/**
 * Statements sent to PostgreSQL with a single Sync after the last one: it runs them in order, answers all of them
 * together, and skips those after a failure. The driver itself sends a Sync and a Describe with each statement, which
 * costs more than most statements do.
 */
class Batch extends Query {
  readonly statements: readonly Statement[]
  readonly isPooled: boolean
  shapes = new Map<string, RowShape>()
  answered = 0

  constructor(statements: readonly Statement[], isPooled: boolean) {
    super({ text: '' }, () => undefined)
    this.isPooled = isPooled
    this.statements = statements
  }

  get current(): Statement | undefined {
    return this.statements[this.answered]
  }
  // pg's client records prepared statements under these.
  override get name(): string | undefined {
    return this.current?.pending.name
  }
  override set name(_: string | undefined) {}
  override get text(): string | undefined {
    return this.current?.pending.text
  }
  override set text(_: string | undefined) {}

  override submit = (to: pg.Connection): null => {
    const connection = to as unknown as Connection
    this.shapes = shapesOf.get(connection) ?? this.shapes
    shapesOf.set(connection, this.shapes)
    for (const statement of this.statements) this.send(statement, connection)
    connection.sync()
    return null
  }
  send({ pending: { name, text }, values }: Statement, connection: Connection): void {
    const { parsedStatements, submittedNamedStatements } = connection
    // Statements without a name are not kept, so each is parsed and described anew.
    const isKept = name !== ''
    if (!isKept) connection.parse({ name, text, types: [] })
    else if (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined) {
      connection.parse({ name, text, types: [] })
      submittedNamedStatements[name] = text
    }
    connection.bind({ statement: name, values })
    if (!isKept || !this.shapes.has(name)) connection.describe({ type: 'P', name: '' })
    connection.execute({ portal: '' })
  }

  override handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    if (this.name === undefined) return
    this.shapes.set(this.name, {
      fields: fields.map(({ name, dataTypeID }) => ({
        name,
        read: types.getTypeParser(dataTypeID, 'text') as unknown as Read,
      })),
      empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
    })
  }
  override handleDataRow(message: { fields: (string | null)[] }): void {
    const { current } = this
    const shape = this.shapes.get(this.name ?? '')
    if (!current || !shape) return
    try {
      current.rows.push(rowOf(shape, message.fields))
    } catch (error) {
      // Thrown here, in a callback of the socket, it would end the process.
      current.unreadable = error as Error
    }
  }
  override handleCommandComplete({ text }: { text: string }): void {
    const { current } = this
    if (!current) return
    // A statement without a row description returns no rows.
    if (!this.shapes.has(current.pending.name))
      this.shapes.set(current.pending.name, { fields: [], empty: {} })
    this.answered++
    if (current.unreadable) current.pending.reject(current.unreadable)
    else current.pending.resolve({ command: text.split(' ', 1)[0] as string, rows: current.rows })
  }
  override handleError(error: Error, connection: Connection): void {
    const failed = this.statements.slice(this.answered)
    if (error instanceof pg.DatabaseError) Object.assign(error, { statement: failed[0]?.pending.name })
    this.answered = this.statements.length
    for (const { pending } of failed) {
      // A skipped statement is not prepared.
      if (!this.isPooled) delete connection.submittedNamedStatements[pending.name]
      pending.reject(error)
    }
    super.handleError(error, connection)
  }
}

function rowOf({ fields, empty }: RowShape, texts: readonly (string | null)[]): object {
  const row: Record<string, unknown> = { ...empty }
  fields.forEach(({ name, read }, position) => {
    const text = texts[position]
    if (text !== undefined && text !== null) row[name] = read(text)
  })
  return row
}
