import type { PgBoss } from 'pg-boss'
import { jobsSchema } from './install-jobs.ts'

/** The attempt at a job that a worker is at. */
export interface Attempt {
  name: string
  id: string
  retryCount: number
}

/** Why a job ends early: its node stops. It is no failure of the job. */
export class GivenBack extends Error {
  constructor() {
    super('The node stops, so another one does this job.')
    this.name = 'GivenBack'
  }
}

/**
 * Gives back a job that a worker has begun, so that any node takes it at once. It costs none of the job's retries. What the
 * worker still reports about its attempt is then ignored.
 */
export async function giveBack(boss: PgBoss, { name, id, retryCount }: Attempt): Promise<void> {
  await boss.getDb().executeSql(attemptGiveBack, [name, id, retryCount])
}

// The attempt is counted, so that pg-boss can tell it from the next one, and allowed once more.
const attemptGiveBack = `update ${jobsSchema}.job
  set state = 'retry', retry_limit = retry_limit + 1, start_after = now(), heartbeat_on = null
  where name = $1 and id = $2 and retry_count = $3 and state = 'active'`
