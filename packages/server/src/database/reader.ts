import pg from 'pg'
import type { Reader, RowScope, Statement } from './statement.ts'

/**
 * Reads run as single statements on a few connections that all requests share, each connection carrying many statements
 * at once (pipelining). Their role may only SELECT.
 */
export interface ReaderPool {
  /** A reader of what stands outside row-level security. */
  open: Reader
  /** A reader of what one Workspace, or one person, may see. */
  scoped(scope: RowScope): Reader
  close(): Promise<void>
}

interface Line {
  replan: boolean
  client: Promise<pg.Client> | null
  underWay: number
}

interface ReaderSettings {
  /** What a connection is made with; some of them plan each statement anew. */
  config(plans: { replan: boolean }): pg.ClientConfig
  /** How many connections of each of the two kinds. */
  size: number
  onError(error: Error): void
}

export function createReaderPool({ config, size, onError }: ReaderSettings): ReaderPool {
  const someLines = (replan: boolean): Line[] =>
    Array.from({ length: size }, () => ({ replan, client: null, underWay: 0 }))
  const planned = someLines(false)
  const replanned = someLines(true)

  function leastBusy(lines: readonly Line[]): Line {
    return lines.reduce((best, line) => (line.underWay < best.underWay ? line : best))
  }

  function connect(line: Line): Promise<pg.Client> {
    const client = new pg.Client({ ...config(line), pipeline: true } as pg.ClientConfig)
    const drop = (): void => {
      if (line.client === connected) line.client = null
    }
    client.on('error', error => {
      drop()
      onError(error)
    })
    client.on('end', drop)
    const connected = client.connect().then(() => client)
    connected.catch(drop)
    line.client = connected
    return connected
  }

  async function send<Row>(
    scope: RowScope | null,
    statement: Statement<Row, 'read'>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const line = leastBusy(statement.replan ? replanned : planned)
    line.underWay++
    try {
      const client = await (line.client ?? connect(line))
      // The setting and the statement go out in one write: nothing of another request can come between them.
      const setting =
        scope &&
        client.query({ name: 'row_scope', text: setRowScope, values: [scope.workspace_id, scope.user_id] })
      const result = client.query({ name: statement.name, text: statement.text, values: values as unknown[] })
      const [, { rows }] = await Promise.all([setting, result])
      return rows as Row[]
    } finally {
      line.underWay--
    }
  }

  const reader = (scope: RowScope | null): Reader => ({
    many: (statement, values) => send(scope, statement, values),
    one: async (statement, values) => (await send(scope, statement, values))[0],
  })

  return {
    open: reader(null),
    scoped: reader,
    async close() {
      const lines = [...planned, ...replanned]
      const clients = lines.map(line => line.client)
      for (const line of lines) line.client = null
      await Promise.all(clients.map(async client => (await client?.catch(() => null))?.end()))
    },
  }
}

const setRowScope = `select set_config('svc.workspace_id', coalesce($1, ''), false), set_config('svc.user_id', coalesce($2, ''), false)`
