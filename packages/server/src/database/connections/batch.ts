import type { Socket } from 'node:net'
import pg from 'pg'
import utils from 'pg/lib/utils.js'
import { currentTraced } from '../../telemetry/spans.ts'
import { withBatchSpan } from './batch-span.ts'
import { valuesInOrder, type Values } from '../parameters.ts'
import { types } from './connection.ts'

/** A statement to send, and the promise of its result. */
export interface PendingStatement {
  name: string
  text: string
  parameters: readonly string[]
  values: Values
  /** `command`: the command tag of PostgreSQL, such as COMMIT, or ROLLBACK if the transaction had failed. */
  resolve(rows: object[], command: string): void
  reject(error: Error): void
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
  const asked = currentTraced.getStore() ? withBatchSpan(pending) : pending
  const statements: Statement[] = []
  for (const [position, one] of asked.entries())
    try {
      const values = [...valuesInOrder(one, one.values)]
      for (const [i, value] of values.entries()) values[i] = utils.prepareValue(value)
      statements.push({ pending: one, values: values as Statement['values'], rows: [] })
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
  stream: Socket
  parse(statement: { name: string; text: string; types: [] }): void
  bind(bound: { statement: string; values: readonly unknown[] }): void
  describe(portal: { type: 'P'; name: '' }): void
  execute(portal: { portal: '' }): void
  sync(): void
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

/** What pg's client calls on a query in progress. */
interface SentQuery {
  submit(to: pg.Connection): null
  name: string | undefined
  text: string | undefined
  handleRowDescription(message: { fields: { name: string; dataTypeID: number }[] }): void
  handleDataRow(message: { fields: (string | null)[] }): void
  handleCommandComplete(message: { text: string }, connection: Connection): void
  handleError(error: Error, connection: Connection): void
}

const Query = pg.Query as unknown as new (
  config: { name: string | undefined; text: string },
  answered: () => void,
) => SentQuery

const ignoreAnswer = () => undefined

const shapesOf = new WeakMap<Connection, Map<string, RowShape>>()

/**
 * Statements sent to PostgreSQL with a single Sync after the last one: it runs them in order, answers all of them
 * together, and skips those after a failure. The driver itself sends a Sync and a Describe with each statement, which
 * costs more than most statements do.
 */
class Batch extends Query {
  readonly statements: readonly Statement[]
  readonly isPooled: boolean
  shapes: Map<string, RowShape>
  answered: number

  constructor(statements: readonly Statement[], isPooled: boolean) {
    // pg's client records prepared statements under the name and the text of a query: those of the one that is answered next.
    super({ name: statements[0]?.pending.name, text: statements[0]?.pending.text ?? '' }, ignoreAnswer)
    this.isPooled = isPooled
    this.statements = statements
    this.shapes = new Map()
    this.answered = 0
  }

  override submit(to: pg.Connection): null {
    const connection = to as unknown as Connection
    gatherWrites(connection.stream)
    this.shapes = shapesOf.get(connection) ?? this.shapes
    shapesOf.set(connection, this.shapes)
    const { parsedStatements, submittedNamedStatements } = connection
    for (const { pending, values } of this.statements) {
      const { name, text } = pending
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
    connection.sync()
    return null
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
  override handleDataRow({ fields: texts }: { fields: (string | null)[] }): void {
    const statement = this.statements[this.answered]
    const shape = statement && this.shapes.get(statement.pending.name)
    if (!shape) return
    const row: Record<string, unknown> = { ...shape.empty }
    try {
      for (const [position, { name, read }] of shape.fields.entries()) {
        const text = texts[position]
        if (text !== undefined && text !== null) row[name] = read(text)
      }
      statement.rows.push(row)
    } catch (error) {
      // Thrown here, in a callback of the socket, it would end the process.
      statement.unreadable = error as Error
    }
  }
  override handleCommandComplete({ text }: { text: string }): void {
    const statement = this.statements[this.answered]
    if (!statement) return
    const { pending, rows, unreadable } = statement
    // A statement without a row description returns no rows.
    if (!this.shapes.has(pending.name)) this.shapes.set(pending.name, { fields: [], empty: {} })
    this.answered++
    this.name = this.statements[this.answered]?.pending.name
    this.text = this.statements[this.answered]?.pending.text
    if (unreadable) pending.reject(unreadable)
    else pending.resolve(rows, text.split(' ', 1)[0] as string)
  }
  override handleError(error: Error, connection: Connection): void {
    const failed = this.statements.slice(this.answered)
    if (error instanceof pg.DatabaseError) Object.assign(error, { statement: failed[0]?.pending.name })
    this.answered = this.statements.length
    this.name = undefined
    this.text = undefined
    for (const { pending } of failed) {
      // A skipped statement is not prepared.
      if (!this.isPooled) delete connection.submittedNamedStatements[pending.name]
      pending.reject(error)
    }
    super.handleError(error, connection)
  }
}

const gathering = new WeakSet<Socket>()

/**
 * Gathers what is written to a socket in this turn of the event loop. The driver writes each statement in several pieces; each
 * would be a system call, and the first would wake PostgreSQL before the rest has arrived.
 */
function gatherWrites(socket: Socket): void {
  if (gathering.has(socket)) return
  gathering.add(socket)
  socket.cork()
  // Runs after everything else in this turn of the loop, so that the statements of many requests are one write.
  setImmediate(() => {
    gathering.delete(socket)
    socket.uncork()
  })
}
