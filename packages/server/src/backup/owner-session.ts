import type pg from 'pg'
import { StoreUnavailable } from '../blobs/blob-errors.ts'
import { connectionConfig, openConnection, type DatabaseAddress } from '../database/connections/connection.ts'
import { codeOf, isConnectionLoss } from '../database/faults.ts'
import { BackupError } from './backup-error.ts'

/**
 * Runs `work` on a connection as the owner of the tables, who sees every row, without the timeouts of requests.
 * Aborting the signal ends the connection and its statement. Throws BackupError if the database cannot be used, and the
 * signal's reason.
 */
export async function asOwner<T>(
  address: DatabaseAddress,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  let client: pg.Client | undefined
  const end = () => void client?.end()
  signal?.addEventListener('abort', end)
  try {
    client = await openConnection(ownerConfig(address))
    signal?.throwIfAborted()
    return await work(client)
  } catch (error) {
    signal?.throwIfAborted()
    throw asBackupError(error) ?? error
  } finally {
    signal?.removeEventListener('abort', end)
    await client?.end()
  }
}

const ownerConfig = (address: DatabaseAddress): pg.ClientConfig => ({
  ...connectionConfig(address, 'svc_owner', {
    statement_timeout: '0',
    lock_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    // Otherwise the statement of a client that is gone would run to its end and hold its locks.
    client_connection_check_interval: '5s',
    // The text form of rows must not depend on settings of the server or the login.
    row_security: 'on',
    bytea_output: 'hex',
    extra_float_digits: '1',
    intervalstyle: 'postgres',
  }),
  application_name: 'wbs backup',
})

function asBackupError(error: unknown): BackupError | null {
  const because = (message: string) => new BackupError(message, { cause: error })
  if (codeOf(error) === '22023' && /svc_owner/.test(String(error)))
    return because('The database has no data of the service: the role svc_owner does not exist.')
  if (codeOf(error) === '42501' && /set role/.test(String(error)))
    return because('The login of the database may not act as svc_owner; grant it that role.')
  // A missing file has the same code as a missing server.
  const isOfFile = codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall !== 'connect'
  // The store may be a server too.
  const isOfStore = error instanceof StoreUnavailable
  return isConnectionLoss(error) && !isOfFile && !isOfStore
    ? because('The connection to the database was lost before the end. Start again.')
    : null
}
