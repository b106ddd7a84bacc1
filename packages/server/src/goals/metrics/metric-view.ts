import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import { countFor, readsCounts } from '../../lists/list-access.ts'
import type { CountedList } from '../../lists/list-store.ts'
import { seesValuations } from '../../valuations/valuation-access.ts'
import type { ConcludedValuation } from '../../valuations/valuation-store.ts'
import type { Metric } from './metric.ts'

/** What the metric of a Goal shows from elsewhere; null for what it does not show. */
export interface Shown {
  counted_list: CountedList | null
  concluded: ConcludedValuation | null
}

/** A metric for an answer to a caller. */
export function presentMetric(metric: Metric, shown: Shown, standing: Standing | GuestStanding) {
  const { name, unit, start, target, source } = metric
  return { name, unit, start, target, source, current: currentValue(metric, shown, standing) }
}

function currentValue(metric: Metric, shown: Shown, standing: Standing | GuestStanding) {
  const { type } = metric.source
  if (!readsSource(type, standing)) return unknownValue
  if (type === 'list_count') return countedValue(shown.counted_list, standing)
  return exactValue(type === 'valuation' ? shown.concluded : { value: metric.current, as_of: metric.as_of })
}

function countedValue(counted: CountedList | null, standing: Standing | GuestStanding) {
  const { status, value, as_of } = countFor(counted, standing)
  return { value: value === null ? null : String(value), as_of, status }
}

/** Unknown while there is no value: nobody has set one, or the valuation is a draft. */
const exactValue = (known: { value: string | null; as_of: string | null } | null) =>
  known === null || known.value === null ? unknownValue : { ...known, status: 'exact' as const }

/** Whether a caller may read the values of a source. */
export function readsSource(type: string, standing: Standing | GuestStanding): boolean {
  if (type === 'list_count') return readsCounts(standing)
  return type !== 'valuation' || seesValuations(standing)
}

/** The current value of a metric that the caller must not read, or that is not known. */
export const unknownValue = { value: null, as_of: null, status: 'unknown' } as const
