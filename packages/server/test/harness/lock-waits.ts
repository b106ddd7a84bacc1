import type { TestService } from './service.ts'

/** How many statements wait for a lock of any kind in the database of a test. */
export async function lockWaits(service: TestService): Promise<number> {
  const { length } = await service.sql(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return length
}
