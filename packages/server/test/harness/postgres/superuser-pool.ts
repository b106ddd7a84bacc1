import pg from 'pg'
import type { DatabaseAddress } from '../../../src/database/connections/connection.ts'

/** Connections of the superuser, who sees all rows. Some may still be closing when a test drops the database; that is no fault. */
export function superuserPool(address: DatabaseAddress, max = 10): pg.Pool {
  const pool = new pg.Pool({ ...address, options: '-c search_path=svc,public', max })
  pool.on('error', () => undefined)
  return pool
}
