import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { DocumentSummary } from '../valuation-store.ts'

/** What became of the valuation to which a token belongs. */
export type TokenState = 'unclaimed' | 'claimed'

/**
 * The state of the valuation to which a token belongs, for a Workspace: `claimed` only if this Workspace has claimed it.
 * Undefined if the token does not fit, the valuation has expired or is another Workspace's, or there is none.
 */
export const stateOfToken = async (
  reader: Reader,
  workspace_id: string,
  valuation_id: string,
  digest: Buffer,
): Promise<TokenState | undefined> =>
  (await reader.one(claimTokenState, { workspace_id, valuation_id, digest }))?.state

/**
 * Uses a token: the valuation is the Workspace's from then on, with all that it is. Undefined if the token does not fit any
 * more. Of all who use it at once, one has it, and the others wait for that one.
 */
export async function claimByToken(
  tx: Transaction,
  claim: { workspace_id: string; business_id: string; valuation_id: string; digest: Buffer },
): Promise<DocumentSummary | undefined> {
  const [row] = await tx.run(valuationClaim, claim)
  return row?.summary
}

const claimTokenState = read<{ state: TokenState }>(
  'claim_token_state',
  `select 'unclaimed' as state from visitor_valuations
   where id = :valuation_id and claim_digest = :digest and expires_at > statement_timestamp()
   union all
   select 'claimed' from valuations where workspace_id = :workspace_id and id = :valuation_id and claim_digest = :digest`,
)

// The lock waits for another claim, and then looks at the digest again.
const valuationClaim = write<{ summary: DocumentSummary }>(
  'valuation_claim',
  `with held as materialized (
     select id, document, summary, status, conclusion, result, calculation, created_at, statement_timestamp() as claimed_at
     from visitor_valuations where id = :valuation_id and claim_digest = :digest and expires_at > statement_timestamp()
     for update
   ), used as (
     update visitor_valuations v
     set claimed_at = held.claimed_at, claim_digest = null, document = null, summary = null, conclusion = null, result = null,
       calculation = null
     from held where v.id = held.id
   ), kept as (
     insert into valuations (workspace_id, id, business_id, subject_type, document, summary, status, conclusion, claim_digest,
       claimed_at, revision, created_at, updated_at, completed_at)
     select :workspace_id, id, :business_id, summary #>> '{subject,type}',
       document || jsonb_build_object('business_id', :business_id::text), summary, status, conclusion, :digest, claimed_at, 2,
       created_at, claimed_at, case when status = 'completed' then created_at end
     from held
   ), results as (
     insert into valuation_results (workspace_id, valuation_id, result, calculation)
     select :workspace_id, id, result, calculation from held where result is not null
   )
   select summary from held`,
)
