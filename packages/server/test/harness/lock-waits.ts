import assert from 'node:assert/strict'
import pg from 'pg'
import { eventually } from '../http/eventually.ts'
import type { TestService } from './service.ts'

/** How many statements wait for a lock of any kind in the database of a test. */
export async function lockWaits(service: TestService): Promise<number> {
  const { length } = await service.sql(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return length
}

/** Gives what a request comes to, and sees that no statement waits for a lock meanwhile. */
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

/** Begins a change, and does something while it waits in the first statement of its transaction; gives its answer. */
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
    // Who breaks off below is told of that, and not of this.
    answer.catch(() => undefined)
    await eventually(async () => (await lockWaits(service)) === 1)
    await work()
    await holder.end()
    return await answer
  } finally {
    await holder.end()
  }
}
