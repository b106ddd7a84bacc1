import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import { countFor } from '../../lists/list-access.ts'
import type { CountedList } from '../../lists/list-store.ts'
import type { Metric } from './metric.ts'

/** A metric for an answer to a caller. `counted` is the List that it counts. */
export function presentMetric(
  metric: Metric,
  counted: CountedList | null,
  standing: Standing | GuestStanding,
) {
  const { name, unit, start, target, source } = metric
  const current = source.type === 'manual' ? manualValue(metric) : countedValue(counted, standing)
  return { name, unit, start, target, source, current }
}

const manualValue = ({ current: value, as_of }: Metric) => ({
  value,
  as_of,
  status: value === null ? ('unknown' as const) : ('exact' as const),
})

function countedValue(counted: CountedList | null, standing: Standing | GuestStanding) {
  const { status, value, as_of } = countFor(counted, standing)
  return { value: value === null ? null : String(value), as_of, status }
}

/** The current value of a metric that the caller must not read. */
export const unknownValue = { value: null, as_of: null, status: 'unknown' } as const
