import type { InputOf } from '@wbs/contract/operation'
import type { createValuation } from '@wbs/contract/valuations/valuations'
import type { VisitorContext, VisitorOutcome } from '../../call/implement.ts'
import { invalid } from '../../call/problem.ts'
import { defaultBenchmarkSet } from '../benchmark-sets/default-benchmark-set.ts'
import type { NamedByDocument } from '../resolving/resolve-document.ts'
import { storedDocument } from '../valuation.ts'
import { presentValuation } from '../valuation-view.ts'
import type { ValueInTurn } from '../engine-threads/engine-order.ts'
import { requireNew } from '../valuing.ts'
import { claimDigest, newClaimToken } from './claim-token.ts'
import { namesOfWorkspaces } from './names-of-workspaces.ts'
import {
  insertVisitorValuation,
  valuationByRequest,
  type EarlierValuation,
  type VisitorValuation,
} from './visitor-store.ts'

type Op = typeof createValuation

/** Creates a valuation for somebody without an account, or finds the one that the same request has made. */
export async function createAsVisitor(
  { run = false, ...given }: InputOf<Op>,
  { tx, request_digest, request_id, computed, refuse }: VisitorContext<Op, ValueInTurn>,
): Promise<VisitorOutcome<Op>> {
  const earlier = await valuationByRequest(tx, request_digest)
  if (earlier) return foundAgain(earlier, refuse)
  const errors = namesOfWorkspaces(given)
  if (errors.length > 0) throw invalid(errors)
  const document = storedDocument(given)
  const asked = { workspace_id: sharedByVisitors, named: nothingNamed, document }
  const valued = requireNew(computed, asked, run, refuse)
  const claim_token = newClaimToken()
  const valuation = await insertVisitorValuation(tx, {
    document,
    valued,
    request_digest,
    request_id,
    claim_digest: claimDigest(claim_token),
  })
  if (valuation) return outcome(valuation, claim_token, null)
  const faster = await valuationByRequest(tx, request_digest)
  if (!faster) throw new Error('There is no valuation of the request that kept this one from making one.')
  return foundAgain(faster, refuse)
}

/** The token is in the first answer alone: of a later one nobody knows whether the same person asks. */
function foundAgain(
  { request_id, valuation }: EarlierValuation,
  refuse: VisitorContext<Op>['refuse'],
): VisitorOutcome<Op> {
  if (!valuation)
    throw refuse.not_found(
      'The valuation that this request created was claimed or has expired. For another one, use a new Idempotency-Key.',
    )
  return outcome(valuation, null, request_id)
}

const outcome = (
  valuation: VisitorValuation,
  claim_token: string | null,
  found: string | null,
): VisitorOutcome<Op> => ({
  result: { data: presentValuation(valuation), claim_token, expires_at: valuation.expires_at },
  revision: valuation.revision,
  found,
})

/** All visitors together have the share of one Workspace. */
const sharedByVisitors = 'visitors'

/** What the document of somebody who has no Workspace names there. */
const nothingNamed: NamedByDocument = {
  businesses: [],
  assets: [],
  portfolio: undefined,
  rows: [],
  benchmark_set: defaultBenchmarkSet,
  evidence: [],
}
