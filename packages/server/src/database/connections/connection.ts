import pg from 'pg'
import type { RowScope } from '../statement.ts'

/** The address of a PostgreSQL: all that a connection needs besides its role. */
export interface DatabaseAddress {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  database?: string
  /**
   * Whether a pooler is there that may run each transaction in another session. Then nothing is set when connecting, and
   * each transaction begins with its settings.
   */
  isPooled?: true
}

/** The configuration of a connection. */
export interface ConnectionConfig extends pg.ClientConfig {
  /** The settings with which each transaction begins, its role among them; none if the session has them. */
  transactionSettings?: Readonly<Record<string, string>>
}

/**
 * The service's roles inside the database. Each connection takes one of them; the login role itself is used for set-up
 * only.
 */
export type DatabaseRole = 'svc_owner' | 'svc_writer' | 'svc_reader'

/** How column values are parsed. */
export const types = new pg.TypeOverrides()
// Timestamps are parsed into the text that answers carry: RFC 3339 in UTC, with milliseconds.
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, momentText)
types.setTypeParser(pg.types.builtins.DATE, text => text)

/** Most come as 2026-11-22 07:37:54.042+00. Changing a few characters of these is ten times as fast as parsing a date. */
function momentText(text: string): string {
  const isUsual = text.length === 26 && text[10] === ' ' && text[19] === '.' && text.endsWith('+00')
  if (isUsual) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  // Only in the form of ISO 8601 is 0050 the year 50; in other forms it is 1950.
  const hasFourDigits = text[4] === '-'
  return new Date(hasFourDigits ? text.replace(' ', 'T').replace(/\+00$/, 'Z') : text).toISOString()
}

/** The configuration of a pg Client or Pool that connects in a role, with the timeouts of all its statements. */
export function connectionConfig(
  { isPooled, ...address }: DatabaseAddress,
  role: DatabaseRole,
  settings: Record<string, string> = {},
): ConnectionConfig {
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
    types,
    ...(isPooled
      ? { transactionSettings: ofTransactions(all) }
      : {
          options: Object.entries(all)
            .map(([name, value]) => `-c ${name}=${value}`)
            .join(' '),
        }),
  }
}

/** The default for transactions comes too late for the one that has begun. */
function ofTransactions({ default_transaction_read_only, ...settings }: Record<string, string>) {
  return {
    ...settings,
    ...(default_transaction_read_only && { transaction_read_only: default_transaction_read_only }),
  }
}

/** Opens a connection, which the caller must end. */
export async function openConnection(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  // A broken connection fails its current or next statement. Without a listener, the event would also end the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * The share of connections that a statement is charged to: that of the Workspace; without one, the user's; one share
 * for all who send no credential. The service's own work in a Workspace has a share apart from its people.
 */
export function shareOf(scope: RowScope | null): string {
  const { workspace_id, user_id } = scope ?? {}
  if (!workspace_id) return user_id ? `user ${user_id}` : anonymousShare
  return user_id ? `workspace ${workspace_id}` : `service in ${workspace_id}`
}

/** The share of all requests without a credential. They are many people, so the share is not reduced while others compete. */
const anonymousShare = 'nobody'

/** The party that a share belongs to. The service's own work in a Workspace follows from what its people do. */
export const partyOf = (share: string): string | null =>
  share === anonymousShare ? null : share.replace(/^service in /, 'workspace ')
