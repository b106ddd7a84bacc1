import type { Refuse } from '../call/problem.ts'
import type { CountedList } from '../lists/list-store.ts'
import { userInWorkspace } from '../rooms/access/access-explanation-store.ts'
import { readableBusiness, type ReadableBusiness } from '../rooms/businesses/room-business-store.ts'
import { requireUserOfPlace, type Place } from '../rooms/place-access.ts'
import { viewerOf, type CallerOfChange } from '../rooms/room-access.ts'
import {
  listToCount,
  requireListToCount,
  requireValuationToShow,
  valuationToShow,
} from './metrics/metric-access.ts'
import type { Shown } from './metrics/metric-view.ts'
import type { ConcludedValuation } from '../valuations/valuation-store.ts'
import type { GivenMetric } from './metrics/metric.ts'

/** What a request may name for a Goal. */
export interface Naming {
  business_id?: string | null | undefined
  accountable_user_id?: string | null | undefined
  metric?: GivenMetric | null | undefined
}

/** What a request names: null if it names none, undefined if the caller cannot see it. */
export interface Named {
  business: ReadableBusiness | null | undefined
  list: CountedList | null | undefined
  valuation: ConcludedValuation | null | undefined
}

/** Reads what a request names, for the caller. */
export async function readNamed(context: CallerOfChange, { business_id, metric }: Naming): Promise<Named> {
  const [business, list, valuation] = await Promise.all([
    typeof business_id === 'string' ? readableBusiness(context.tx, viewerOf(context), business_id) : null,
    listToCount(context, metric),
    valuationToShow(context, metric),
  ])
  return { business, list, valuation }
}

/** Sends early what `requireAccountable` reads first. */
export const prefetchAccountable = async (
  { tx, standing }: CallerOfChange,
  { accountable_user_id }: Naming,
): Promise<void> => {
  if (typeof accountable_user_id === 'string')
    await userInWorkspace(tx, standing.workspace_id, accountable_user_id)
}

/** What the metric of the request shows. Throws not_found if the caller cannot see all that the request names. */
export function requireNamed({ business, list, valuation }: Named, refuse: Refuse<'not_found'>): Shown {
  if (business === undefined) throw refuse.not_found('There is no such Business, or you cannot see it.')
  return {
    counted_list: requireListToCount(list, refuse),
    concluded: requireValuationToShow(valuation, refuse),
  }
}

/** Throws validation_error unless the user can answer for a Goal in the place. */
export async function requireAccountable(
  context: CallerOfChange & { refuse: Refuse<'validation_error'> },
  place: Place,
  user_id: string | null | undefined,
): Promise<void> {
  if (typeof user_id !== 'string') return
  await requireUserOfPlace(context, place, { user_id, field: 'accountable_user_id', scope: 'goals:read' })
}
