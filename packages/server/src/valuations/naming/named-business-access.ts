import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { readableBusiness, type ReadableBusiness } from '../../rooms/businesses/room-business-store.ts'
import { viewerOf, type CallerInWorkspace } from '../../rooms/room-access.ts'

/** The Business that a request names, if the caller can read it: null if it names none, undefined if they cannot. */
export const readNamedBusiness = async (
  context: CallerInWorkspace,
  reader: Reader,
  business_id: string | null | undefined,
): Promise<ReadableBusiness | null | undefined> =>
  typeof business_id === 'string' ? readableBusiness(reader, viewerOf(context), business_id) : null

/** Throws not_found if the request names a Business that the caller cannot read. */
export function requireNamedBusiness(
  business: ReadableBusiness | null | undefined,
  refuse: Refuse<'not_found'>,
): void {
  if (business === undefined) throw refuse.not_found('There is no such Business, or you cannot see it.')
}
