import type { MissingEvidence } from './engine/engine.ts'
import { missingEvidence } from './engine/evidence/missing-evidence.ts'
import type { SummaryRow, ValuationRow } from './valuation-store.ts'

/** A valuation for a list. */
export function presentSummary(row: SummaryRow) {
  const { workspace_id, valuation_id, business_id, summary, status, conclusion, signature, created_by } = row
  const { supersedes_id, superseded_by_id, revision, created_at, updated_at } = row
  const { completed_at, claimed_at } = row
  const { subject, engagement_type, purpose, valuation_date, currency } = summary
  return {
    valuation_id,
    workspace_id,
    business_id,
    subject,
    engagement_type,
    purpose,
    valuation_date,
    currency,
    status,
    conclusion,
    supersedes_id,
    superseded_by_id,
    is_signed: signature !== null,
    revision,
    created_by: created_by === null ? null : { type: 'user' as const, id: created_by },
    created_at,
    updated_at,
    completed_at,
    claimed_at,
  }
}

/** A valuation for an answer. */
export function presentValuation(row: ValuationRow) {
  const { document, result, signature } = row
  const { standard_of_value, premise_of_value, level_of_value, interest, inputs } = document
  return {
    ...presentSummary(row),
    standard_of_value,
    premise_of_value,
    level_of_value,
    interest,
    inputs,
    methods: document.methods ?? [],
    weights: document.weights ?? null,
    result,
    missing_evidence: missingOf(row),
    signature,
  }
}

/** What evidence is missing does not depend on what the document names. */
const nothingNamed = {
  name: '',
  naics_code: null,
  benchmark_set: { benchmark_set_id: '', sha256: '', rows: [] },
  holdings: [],
}

/** What is missing before a draft can run. */
const missingOf = ({ status, document, evidence }: ValuationRow): MissingEvidence[] =>
  status === 'draft' ? missingEvidence(document, { ...nothingNamed, evidence }) : []
