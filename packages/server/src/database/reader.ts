import pg from 'pg'
import { isConnectionLoss } from './faults.ts'
import type { LineClass } from './line-classes.ts'
import { shareOf } from './share.ts'
import type { LineKind, Reader, RowScope, Statement } from './statement.ts'

/**
 * Reads run as single statements on a few connections that all requests share, a connection for short ones carrying many
 * at once (pipelining). Their role may only SELECT.
 */
export interface ReaderPool {
  /** A reader of what stands outside row-level security; behind it, nobody's rows. */
  open: Reader
  /** A reader of what one Workspace, or one person, may see. It waits for its turns as long as is usual, or as is said. */
  scoped(scope: RowScope, patienceMilliseconds?: number): Reader
  close(): Promise<void>
}

interface Line {
  kind: LineKind
  connection: Promise<Connection> | null
  underWay: number
}

interface Connection {
  client: pg.Client
  /** The setting, perhaps still on its way, that left the connection to nobody; null while it is set for someone. */
  left: Promise<unknown> | null
}

interface ReaderSettings {
  /** What a connection of a kind is made with. */
  config(kind: LineKind): pg.ClientConfig
  classes: Readonly<Record<LineKind, LineClass>>
  onError(error: Error): void
}

export function createReaderPool({ config, classes, onError }: ReaderSettings): ReaderPool {
  const linesOf = (kind: LineKind): Line[] =>
    Array.from({ length: classes[kind].connections }, () => ({ kind, connection: null, underWay: 0 }))
  const kinds = Object.keys(classes) as LineKind[]
  const lines = Object.fromEntries(kinds.map(kind => [kind, linesOf(kind)])) as Record<LineKind, Line[]>

  function leastBusy(lines: readonly Line[]): Line {
    return lines.reduce((best, line) => (line.underWay < best.underWay ? line : best))
  }

  function connect(line: Line): Promise<Connection> {
    const client = new pg.Client({ ...config(line.kind), pipeline: true })
    const drop = (): void => {
      if (line.connection === connected) line.connection = null
    }
    client.on('error', error => {
      drop()
      onError(error)
    })
    client.on('end', drop)
    const connected = client.connect().then(() => ({ client, left: Promise.resolve() }))
    connected.catch(drop)
    line.connection = connected
    return connected
  }

  /** Throws ReadersBusy and TooManyWait, where many of the same share ask. */
  async function inTurn<Row>(
    scope: RowScope | null,
    patience: number | undefined,
    statement: Statement<Row, 'read'>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const endTurn = await classes[statement.line].turns?.take(shareOf(scope), patience)
    try {
      return await send(scope, statement, values)
    } finally {
      endTurn?.()
    }
  }

  async function send<Row>(
    scope: RowScope | null,
    statement: Statement<Row, 'read'>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const line = leastBusy(lines[statement.line])
    const connected = line.connection ?? connect(line)
    line.underWay++
    try {
      const connection = await connected
      // The setting and the statement go out in one write: nothing of another request can come between them. Where the
      // setting fails the statement has run for somebody else, and its rows go nowhere.
      const setting = scope && !statement.open ? enter(connection, scope) : leave(connection)
      const { name, text } = statement
      const result = connection.client.query({ name, text, values: values as unknown[] })
      const [, { rows }] = await Promise.all([setting, result])
      return rows as Row[]
    } catch (error) {
      if (isConnectionLoss(error)) giveUp(line, connected)
      throw error
    } finally {
      line.underWay--
    }
  }

  /** The client tells of its end a moment later, or never where nothing is heard any more: no other request may go its way. */
  function giveUp(line: Line, connected: Promise<Connection>): void {
    if (line.connection !== connected) return
    line.connection = null
    connected.then(({ client }) => client.end()).catch(() => undefined)
  }

  const reader = (scope: RowScope | null, patience?: number): Reader => ({
    many: (statement, values) => inTurn(scope, patience, statement, values),
    one: async (statement, values) => (await inTurn(scope, patience, statement, values))[0],
  })

  return {
    open: reader(null),
    scoped: reader,
    async close() {
      for (const { turns } of Object.values(classes)) turns?.close()
      const all = Object.values(lines).flat()
      const connections = all.map(line => line.connection)
      for (const line of all) line.connection = null
      await Promise.all(connections.map(async one => (await one?.catch(() => null))?.client.end()))
    },
  }
}

function enter(connection: Connection, scope: RowScope): Promise<unknown> {
  connection.left = null
  return setScope(connection.client, scope)
}

/** Takes the last request's setting away where it still stands: a run of open reads needs that once only. */
function leave(connection: Connection): Promise<unknown> {
  if (connection.left) return connection.left
  const leaving = setScope(connection.client, { workspace_id: null, user_id: null })
  connection.left = leaving
  leaving.catch(() => {
    if (connection.left === leaving) connection.left = null
  })
  return leaving
}

const setScope = (client: pg.Client, { workspace_id, user_id }: RowScope): Promise<unknown> =>
  client.query({ name: 'row_scope', text: setRowScope, values: [workspace_id, user_id] })

const setRowScope = `select set_config('svc.workspace_id', coalesce($1, ''), false), set_config('svc.user_id', coalesce($2, ''), false)`
