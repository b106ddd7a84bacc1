// Commands, receipts and events are stored by period: docs/decisions/0042-partitions.md.

/** SQL: the period to which a change belongs that is made now. Its partitions exist. */
export const currentPeriodSql = 'select max(number) as number from history_periods where starts_at <= now()'

/** SQL: the position after which those of a period begin. */
export const positionBeforeSql = (period: string) => `((${period} - 1)::bigint << 30)`
