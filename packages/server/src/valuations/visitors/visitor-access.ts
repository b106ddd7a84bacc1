import type { Standing } from '../../call/authority/standing.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { readCompletedValuation, requireCompleted, type CompletedValuation } from '../valuation-access.ts'
import { claimDigest } from './claim-token.ts'
import { calculationByToken, valuationByToken, type VisitorValuation } from './visitor-store.ts'

/** A query that members of a Workspace and visitors may send. */
export interface ReaderOfValuations {
  /** Null for a visitor. */
  standing: Standing | null
  /** The header SVC-Claim-Token. Only visitors read with it. */
  claim_token: string | null
  read: Reader
  refuse: Refuse<'not_found' | 'gone'>
}

/**
 * A completed valuation with its calculation, for a member who can see it or for a visitor with its token. Throws not_found,
 * state_conflict for a draft, and gone for a visitor.
 */
export async function readCompleted(
  context: ReaderOfValuations & { refuse: Refuse<'not_found' | 'gone' | 'state_conflict'> },
  valuation_id: string,
): Promise<CompletedValuation> {
  const { standing, claim_token, read, refuse } = context
  if (standing) return readCompletedValuation({ standing, read, refuse }, valuation_id)
  const [valuation, calculation] = await Promise.all([
    visitorValuation(context, valuation_id),
    calculationByToken(read, valuation_id, claimDigest(claim_token)),
  ])
  // It was claimed, or swept, between the two statements.
  if (calculation === undefined) throw noneForToken(refuse)
  return requireCompleted(valuation, calculation ?? undefined, refuse)
}

/**
 * The valuation that a visitor reads with a token. Throws not_found if the token does not fit, is missing or was used, and if
 * there is no such valuation, all in the same way; gone if the token fits and its 30 days are over.
 */
export async function visitorValuation(
  { read, claim_token, refuse }: Pick<ReaderOfValuations, 'read' | 'claim_token' | 'refuse'>,
  valuation_id: string,
): Promise<VisitorValuation> {
  const found = await valuationByToken(read, valuation_id, claimDigest(claim_token))
  if (!found) throw noneForToken(refuse)
  const { is_expired, ...valuation } = found
  if (is_expired) throw refuse.gone('The valuation has expired: nobody claimed it within 30 days.')
  return valuation
}

const noneForToken = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such valuation, or SVC-Claim-Token is not its claim_token any more.')
