import pg from 'pg'
import { eventually } from '../http/eventually.ts'
import { lockWaits } from './lock-waits.ts'
import type { TestService } from './service.ts'

/** Keeps all statements on a table waiting. */
export interface TableLock {
  /** Resolves when so many statements wait: as many as there are connections for them. */
  keepsWaiting(count: number): Promise<void>
  release(): Promise<void>
}

export async function lockTable(service: TestService, table: string): Promise<TableLock> {
  const client = new pg.Client(service.testDatabase.address)
  await client.connect()
  await client.query('begin')
  await client.query(`lock table svc.${table} in access exclusive mode`)
  let released = false
  return {
    async keepsWaiting(count) {
      await eventually(async () => (await lockWaits(service)) >= count)
    },
    async release() {
      if (!released) await client.end()
      released = true
    },
  }
}
