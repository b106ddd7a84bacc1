import type { InputError } from '@wbs/contract/problems'
import type { Refuse } from '../../call/problem.ts'
import { noSuchList, seesLists } from '../../lists/list-access.ts'
import { listById, type CountedList } from '../../lists/list-store.ts'
import type { CallerOfChange } from '../../rooms/room-access.ts'
import { listGiven, metricErrors, type GivenMetric } from './metric.ts'

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
  const list_id = listGiven(given)
  if (list_id === null) return null
  return seesLists(standing) ? listById(tx, standing.workspace_id, list_id) : undefined
}

/** The List that `listToCount` found. Throws not_found. */
export function requireListToCount(
  list: CountedList | null | undefined,
  refuse: Refuse<'not_found'>,
): CountedList | null {
  if (list === undefined) throw noSuchList(refuse)
  return list
}
