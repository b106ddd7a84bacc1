import pg from 'pg'
import { connectionConfig, type DatabaseAddress } from '../database/connections/connection.ts'
import { codeOf, isConnectionLoss } from '../database/faults.ts'
import { BackupError } from './backup-error.ts'

/**
 * Works on a connection as the owner of the tables, who sees every row, without the limits that suit requests. The signal
 * ends the connection, and with it whatever statement is under way. Throws BackupError where the database cannot be worked
 * on, and what the signal says.
 */
export async function asOwner<T>(
  address: DatabaseAddress,
  signal: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(ownerConfig(address))
  const end = () => void client.end()
  // A connection that breaks fails the statement under way; unheard, this would end the process.
  client.on('error', () => undefined)
  signal?.addEventListener('abort', end)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    signal?.throwIfAborted()
    throw told(error) ?? error
  } finally {
    signal?.removeEventListener('abort', end)
    await client.end()
  }
}

const ownerConfig = (address: DatabaseAddress): pg.ClientConfig => ({
  ...connectionConfig(address, 'svc_owner', {
    statement_timeout: '0',
    lock_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    // Else a statement whose caller has gone would run, and hold its locks, to its end.
    client_connection_check_interval: '5s',
    // How rows are written must not depend on how a server or a login is set up.
    row_security: 'on',
    bytea_output: 'hex',
    extra_float_digits: '1',
    intervalstyle: 'postgres',
  }),
  application_name: 'wbs backup',
})

function told(error: unknown): BackupError | null {
  const because = (message: string) => new BackupError(message, { cause: error })
  if (codeOf(error) === '22023' && /svc_owner/.test(String(error)))
    return because('The database has no data of the service: the role svc_owner is not there.')
  if (codeOf(error) === '42501' && /set role/.test(String(error)))
    return because('The login of the database may not act as svc_owner; grant it that role.')
  // A file that is not there has the same code as a server that is not.
  const isOfFile = codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall !== 'connect'
  return isConnectionLoss(error) && !isOfFile
    ? because('The connection to the database was lost before all was done. Start again.')
    : null
}
