import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { StoredNode } from '../engine/calculation/node.ts'

/** A person's signature under a result. */
export interface ReportSignature {
  signed_by: { name: string | null }
  /** As in RFC 3339. */
  signed_at: string
  statement: string
  qualifications: string
  result_hash: string
}

/** Evidence of a valuation, as its report names it. */
export interface ReportEvidence {
  evidence_id: string
  code: string
  file_id: string
  sha256: string
  pointer: string | null
  /** YYYY-MM-DD. */
  dated_on: string
  known_or_knowable: boolean
  note: string | null
}

/** A completed valuation, as its report gets it. */
export interface ReportSubject {
  /** Null offline. */
  valuation_id: string | null
  /** The name of what is valued. */
  name: string
  document: ValuationDocument
  result: ValuationResult
  calculation: readonly StoredNode[]
  evidence: readonly ReportEvidence[]
  signature: ReportSignature | null
  /** When it was completed, as in RFC 3339; null offline. */
  completed_at: string | null
  superseded_by_id: string | null
}
