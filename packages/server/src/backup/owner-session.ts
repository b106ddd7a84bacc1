import pg from 'pg'
import { connectionConfig, type DatabaseAddress } from '../database/connection.ts'
import { codeOf } from '../database/faults.ts'
import { BackupError } from './backup-error.ts'

/** Connects as the owner of the tables, who sees every row, without the limits that suit requests. Throws BackupError. */
export async function connectOwner(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionConfig(address, 'svc_owner', {
      statement_timeout: '0',
      lock_timeout: '0',
      idle_in_transaction_session_timeout: '0',
      // How rows are written must not depend on how a server or a login is set up.
      row_security: 'on',
      bytea_output: 'hex',
      extra_float_digits: '1',
      intervalstyle: 'postgres',
    }),
    application_name: 'wbs backup',
  })
  // A connection that breaks fails the statement under way; unheard, this would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw told(error) ?? error
  }
  return client
}

function told(error: unknown): BackupError | null {
  if (codeOf(error) === '22023')
    return new BackupError('The database has no data of the service: the role svc_owner is not there.')
  if (codeOf(error) === '42501')
    return new BackupError('The login of the database may not act as svc_owner; grant it that role.')
  return null
}
