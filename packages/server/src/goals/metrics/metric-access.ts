import type { InputError } from '@wbs/contract/problems'
import type { Refuse } from '../../call/problem.ts'
import { noSuchList, seesLists } from '../../lists/list-access.ts'
import { listById, type CountedList } from '../../lists/list-store.ts'
import { noSuchValuation, seesValuations } from '../../valuations/valuation-access.ts'
import { concludedById, type ConcludedValuation } from '../../valuations/valuation-store.ts'
import type { CallerOfChange } from '../../rooms/room-access.ts'
import { metricErrors, sourceGiven, type GivenMetric } from './metric.ts'

/** Throws validation_error if the fields of a metric do not go together. */
export function requireMetric(
  given: GivenMetric | null | undefined,
  refuse: Refuse<'validation_error'>,
): void {
  const errors: InputError[] = given ? metricErrors(given) : []
  if (errors[0]) throw refuse.validation_error(errors[0].detail, { errors })
}

/** The List that a metric of a request counts: null if it counts none, undefined if the caller cannot see it. */
export async function listToCount(
  { tx, standing }: CallerOfChange,
  given: GivenMetric | null | undefined,
): Promise<CountedList | null | undefined> {
  const list_id = sourceGiven(given, 'list_count')
  if (list_id === null) return null
  return seesLists(standing) ? listById(tx, standing.workspace_id, list_id) : undefined
}

/** What the valuation concludes that a metric of a request names: null if it names none, undefined if the caller cannot see it. */
export async function valuationToShow(
  { tx, standing }: CallerOfChange,
  given: GivenMetric | null | undefined,
): Promise<ConcludedValuation | null | undefined> {
  const valuation_id = sourceGiven(given, 'valuation')
  if (valuation_id === null) return null
  return seesValuations(standing) ? concludedById(tx, standing.workspace_id, valuation_id) : undefined
}

/** The List that `listToCount` found. Throws not_found. */
export function requireListToCount(
  list: CountedList | null | undefined,
  refuse: Refuse<'not_found'>,
): CountedList | null {
  if (list === undefined) throw noSuchList(refuse)
  return list
}

/** What `valuationToShow` found. Throws not_found. */
export function requireValuationToShow(
  valuation: ConcludedValuation | null | undefined,
  refuse: Refuse<'not_found'>,
): ConcludedValuation | null {
  if (valuation === undefined) throw noSuchValuation(refuse)
  return valuation
}
