import type { TestContext } from 'node:test'
import pg from 'pg'
import { eventually } from './eventually.ts'
import { lockWaits } from './lock-waits.ts'
import { startTestService, type Person, type TestService, type TestServiceOptions } from './service.ts'

/** A lock that blocks all statements on a table. */
interface TableLock {
  /** Resolves when so many statements wait for the lock. */
  keepsWaiting(count: number): Promise<void>
  release(): Promise<void>
}

/** A service that cannot read Workspaces until the lock is released. Closed at the end of the test. */
export async function startPausableService(
  t: TestContext,
  options: TestServiceOptions = {},
): Promise<{ service: TestService; olivia: Person; lock: TableLock }> {
  const service = await startTestService(options)
  const olivia = service.person('Olivia')
  await olivia.client.createWorkspace({ name: 'Harbor' })
  const lock = await lockTable(service, 'workspaces')
  t.after(async () => {
    await lock.release()
    await service.close()
  })
  return { service, olivia, lock }
}

async function lockTable(service: TestService, table: string): Promise<TableLock> {
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
