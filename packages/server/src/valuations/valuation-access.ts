import type { Standing } from '../call/authority/standing.ts'
import type { Refuse } from '../call/problem.ts'
import type { Reader } from '../database/statement.ts'
import type { CallerOfChange } from '../rooms/room-access.ts'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { StoredNode } from './engine/calculation/node.ts'
import {
  calculationOf,
  lockValuation,
  valuationById,
  valuationExists,
  type OpenedValuation,
  type ValuationRow,
} from './valuation-store.ts'

/** Who asks, with their standing in the Workspace of the valuations. */
export interface CallerOfValuations {
  standing: Pick<Standing, 'workspace_id' | 'permissions'>
}

/** A completed valuation with its calculation. */
export interface CompletedValuation {
  valuation: ValuationRow & { status: 'completed'; result: ValuationResult }
  calculation: StoredNode[]
}

/** One message whether a valuation does not exist, is another Workspace's or takes a token, so that it reveals nothing. */
export const noSuchValuation = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such valuation, or you cannot see it.')

/** Whether a caller may read valuations, where the operation declares another permission. */
export const seesValuations = ({ permissions }: { permissions: ReadonlySet<string> }): boolean =>
  permissions.has('valuations:read')

/** A valuation that the caller can see. Throws not_found. */
export async function visibleValuation(
  { standing, read, refuse }: CallerOfValuations & { read: Reader; refuse: Refuse<'not_found'> },
  valuation_id: string,
): Promise<ValuationRow> {
  const row = seesValuations(standing)
    ? await valuationById(read, standing.workspace_id, valuation_id)
    : undefined
  if (!row) throw noSuchValuation(refuse)
  return row
}

/** A completed valuation that the caller can see, with its calculation. Throws not_found, and state_conflict for a draft. */
export async function readCompletedValuation(
  context: CallerOfValuations & { read: Reader; refuse: Refuse<'not_found' | 'state_conflict'> },
  valuation_id: string,
): Promise<CompletedValuation> {
  const { standing, read, refuse } = context
  const [valuation, calculation] = await Promise.all([
    visibleValuation(context, valuation_id),
    calculationOf(read, standing.workspace_id, valuation_id),
  ])
  const { status } = valuation
  // It may have been completed between the two statements, and then stays so.
  const isLate = status === 'completed' && calculation === undefined
  const latest = isLate ? await calculationOf(read, standing.workspace_id, valuation_id) : calculation
  return requireCompleted(valuation, latest, refuse)
}

/** Throws state_conflict unless the valuation is completed. */
export function requireCompleted(
  valuation: ValuationRow,
  calculation: StoredNode[] | undefined,
  refuse: Refuse<'state_conflict'>,
): CompletedValuation {
  const { status, result } = valuation
  if (status !== 'completed')
    throw refuse.state_conflict('The valuation is a draft. Run it first.', { current_status: status })
  if (!result || !calculation) throw new Error('A completed valuation has no result.')
  return { valuation: { ...valuation, status, result }, calculation }
}

const lockVisible = async (
  { tx, standing }: CallerOfChange,
  valuation_id: string,
): Promise<ValuationRow | undefined> =>
  seesValuations(standing) ? lockValuation(tx, standing.workspace_id, valuation_id, standing.seal) : undefined

/** Locks a valuation for a change. Throws not_found if the caller cannot see it. */
export async function openValuation(
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
  valuation_id: string,
): Promise<OpenedValuation> {
  const row = await lockVisible(context, valuation_id)
  if (!row) throw noSuchValuation(context.refuse)
  return row as OpenedValuation
}

/** Whether the caller can see a valuation. */
export const canSeeValuation = async (
  { tx, standing }: { tx: Reader; standing: Pick<Standing, 'workspace_id' | 'permissions'> },
  valuation_id: string,
): Promise<boolean> =>
  seesValuations(standing) && (await valuationExists(tx, standing.workspace_id, valuation_id))

/** Checks before a replay that the caller can still see the valuation of the path. Throws not_found. */
async function checkValuationVisible(
  { valuation_id }: { valuation_id: string },
  context: CallerOfChange & { refuse: Refuse<'not_found'> },
): Promise<void> {
  if (!(await canSeeValuation(context, valuation_id))) throw noSuchValuation(context.refuse)
}

/** What runs before a handler that begins by opening the valuation of its path. */
export const beforeValuationChange = {
  visible: checkValuationVisible,
  prefetch: ({ valuation_id }: { valuation_id: string }, context: CallerOfChange) =>
    lockVisible(context, valuation_id),
}
