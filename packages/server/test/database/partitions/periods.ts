import type pg from 'pg'
import { maintainPartitions } from '../../../src/database/partitions/maintain-partitions.ts'
import type { Retention } from '../../../src/database/partitions/retention-settings.ts'
import { connectOwner } from '../../../src/database/database.ts'
import type { TestService } from '../../harness/service.ts'

export const forEver: Retention = { event_days: null, receipt_days: null }

/** Does something as svc_owner. */
export async function asOwner<T>(
  { testDatabase }: Pick<TestService, 'testDatabase'>,
  work: (owner: pg.Client) => Promise<T>,
): Promise<T> {
  const owner = await connectOwner(testDatabase.address)
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

/** Begins the next period now, as if the month was over. */
export const beginPeriod = (service: Pick<TestService, 'testDatabase'>) =>
  asOwner(service, owner =>
    owner.query('select add_history_period(max(number) + 1, clock_timestamp()) from history_periods'),
  )

/** Makes everything that was recorded older by a number of days. */
export async function passDays({ sql }: Pick<TestService, 'sql'>, days: number): Promise<void> {
  await sql('update history_periods set starts_at = starts_at - make_interval(days => $1)', [days])
  await sql(
    `update commands set created_at = created_at - make_interval(days => $1), expires_at = expires_at - make_interval(days => $1)`,
    [days],
  )
}

export const maintain = (service: Pick<TestService, 'testDatabase'>, retention = forEver) =>
  asOwner(service, owner => maintainPartitions(owner, retention))

/** The partitions of a table. */
export const partitionsOf = async ({ sql }: Pick<TestService, 'sql'>, table: string): Promise<string[]> =>
  (
    await sql<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
      [table],
    )
  ).map(({ name }) => name)
