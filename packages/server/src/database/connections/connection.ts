import pg from 'pg'
import { coalescingSocket } from './coalescing-socket.ts'

/** Where a PostgreSQL is: what a connection needs besides its role. */
export interface DatabaseAddress {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  database?: string
}

/** The roles of the service inside the database. Each connection takes one on; the login itself is used for set-up alone. */
export type DatabaseRole = 'svc_owner' | 'svc_writer' | 'svc_reader'

/** How values are read from the database. */
export const types = new pg.TypeOverrides()
// Times leave the database as the text that answers carry: RFC 3339, in UTC, with milliseconds.
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, momentText)
types.setTypeParser(pg.types.builtins.DATE, text => text)

/** Most come as 2026-11-22 07:37:54.042+00, where a few letters are all that is to be changed; that is ten times as quick. */
function momentText(text: string): string {
  const isUsual = text.length === 26 && text[10] === ' ' && text[19] === '.' && text.endsWith('+00')
  return isUsual ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z` : new Date(text).toISOString()
}

/** What a pg Client or Pool is given to connect in a role, with the limits that hold for all its statements. */
export function connectionConfig(
  address: DatabaseAddress,
  role: DatabaseRole,
  settings: Record<string, string> = {},
): pg.ClientConfig {
  const all = {
    role,
    search_path: 'svc,public',
    timezone: 'UTC',
    datestyle: 'ISO',
    jit: 'off',
    lock_timeout: '2s',
    statement_timeout: '5s',
    idle_in_transaction_session_timeout: '10s',
    ...settings,
  }
  return {
    ...address,
    application_name: `wbs ${role}`,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    stream: coalescingSocket,
    options: Object.entries(all)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types,
  }
}

/** Opens a connection of its own, which is the caller's to end. */
export async function openConnection(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  // One that breaks fails the statement under way, or the next one; unheard, it would end the process besides.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
