import type { createGoal } from '@wbs/contract/goals/goals'
import type { InputOf } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'

/** A metric as a request gives it. */
export type GivenMetric = NonNullable<InputOf<typeof createGoal>['metric']>

/** A metric as it is stored. Numbers are decimal strings, as they were given. */
export interface Metric {
  name: string
  unit: string | null
  start: string | null
  target: string
  source: { type: 'manual'; id: null } | { type: 'list_count' | 'valuation'; id: string }
  /** Only of the source manual: the value, and when it was set. Null if there is none. */
  current: string | null
  as_of: string | null
}

/** What is wrong with a metric whose fields have the right form each. */
export function metricErrors({ source, current }: GivenMetric): InputError[] {
  const hasId = (source.id ?? null) !== null
  const error = (pointer: string, code: 'required' | 'conflict', detail: string): InputError => ({
    in: 'body',
    pointer: `/metric${pointer}`,
    code,
    detail,
  })
  if (source.type === 'manual')
    return hasId ? [error('/source/id', 'conflict', 'source.id is not allowed with the type manual.')] : []
  return [
    ...(hasId
      ? []
      : [error('/source/id', 'required', `source.id is required with the type ${source.type}.`)]),
    ...((current ?? null) === null
      ? []
      : [error('/current', 'conflict', 'current is allowed only with the source manual.')]),
  ]
}

/** The metric that a request sets, in place of an earlier one. A value that stays keeps the time at which it was set. */
export function metricSet(given: GivenMetric, before: Metric | null, now: Date): Metric {
  const { name, unit = null, start = null, target, source, current = null } = given
  const described = { name, unit, start, target }
  const { type, id } = source
  if (type !== 'manual' && typeof id === 'string')
    return { ...described, source: { type, id }, current: null, as_of: null }
  const stays = before !== null && before.name === name && before.unit === unit && before.current === current
  const as_of = current === null ? null : stays ? before.as_of : now.toISOString()
  return { ...described, source: { type: 'manual', id: null }, current, as_of }
}

/** What a metric of a request names of a type; null if it names none. */
export const sourceGiven = (
  given: GivenMetric | null | undefined,
  type: 'list_count' | 'valuation',
): string | null => (given?.source.type === type ? (given.source.id ?? null) : null)
