import assert from 'node:assert/strict'
import pg from 'pg'
import type { Lockable } from '../../src/database/locks.ts'
import { eventually } from './eventually.ts'
import type { TestService } from './service.ts'

/** How many statements wait for a lock in the database of a test. */
export async function lockWaits(service: TestService): Promise<number> {
  const { length } = await service.sql(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return length
}

/** Awaits a request, and asserts that no statement waits for a lock meanwhile. */
export async function unlocked<T>(service: TestService, request: Promise<T>): Promise<T> {
  const ended = request.then(
    () => true,
    () => true,
  )
  const lookedAgain = async () => {
    assert.equal(await lockWaits(service), 0)
    return false
  }
  for (;;) if (await Promise.race([ended, lookedAgain()])) return request
}

/** Holds a lock of a Workspace from outside of the service, until what it returns is called. */
export async function holdLock(
  service: TestService,
  workspace_id: string,
  [thing, id]: readonly [thing: Lockable, id: string],
  mode: 'alone' | 'shared' = 'alone',
): Promise<() => Promise<void>> {
  const holder = new pg.Client(service.testDatabase.address)
  await holder.connect()
  const lock = mode === 'alone' ? 'pg_advisory_lock' : 'pg_advisory_lock_shared'
  await holder.query(`select ${lock}(svc.lock_number($1, $2, $3))`, [thing, workspace_id, id])
  return () => holder.end()
}

/** Begins a change, runs `work` while its first statement is blocked, and gives the change's answer. */
export async function whileChangeIsBlocked<Answer>(
  service: TestService,
  claim: { workspace_id: string; principal: string; idempotency_key: string },
  change: () => Promise<Answer>,
  work: () => Promise<unknown>,
): Promise<Answer> {
  const holder = new pg.Client(service.testDatabase.address)
  await holder.connect()
  const { workspace_id, principal, idempotency_key } = claim
  try {
    await holder.query('select pg_advisory_lock(svc.command_lock($1, $2, $3))', [
      workspace_id,
      principal,
      idempotency_key,
    ])
    const answer = change()
    // If the code below throws, its error is the one to report.
    answer.catch(() => undefined)
    await eventually(async () => (await lockWaits(service)) === 1)
    await work()
    await holder.end()
    return await answer
  } finally {
    await holder.end()
  }
}
