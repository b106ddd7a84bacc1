import { randomUUIDv7 } from 'node:crypto'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { updateRevision, write } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { ValuedTexts } from './engine-threads/engine-order.ts'
import { summaryOf } from './valuation.ts'
import type { EvidenceRow, OpenedValuation, Signature, ValuationId, ValuationRow } from './valuation-store.ts'

/** A new id. Ids ascend with their creation, so a list by id is one by creation. */
export const newValuationId = (): ValuationId => `val_${randomUUIDv7().replaceAll('-', '')}`

export interface NewValuation {
  workspace_id: string
  /** As `storedDocument` gives it. */
  document: ValuationDocument
  created_by: string | null
  supersedes_id?: ValuationId
  /** The evidence of the valuation that this one replaces. */
  evidence?: EvidenceRow[]
}

/** Inserts a draft. */
export function insertValuation(tx: Transaction, given: NewValuation, now: Date): OpenedValuation {
  const { workspace_id, document, created_by, supersedes_id = null, evidence = [] } = given
  const valuation_id = newValuationId()
  const { business_id = null, subject } = document
  const summary = summaryOf(document)
  tx.save(valuationInsert, [
    workspace_id,
    valuation_id,
    business_id,
    subject.type,
    subject.id ?? null,
    JSON.stringify(document),
    JSON.stringify(summary),
    supersedes_id,
    created_by,
    now,
  ])
  if (supersedes_id !== null) tx.save(evidenceCopy, [workspace_id, supersedes_id, valuation_id])
  const at = now.toISOString()
  const row: ValuationRow = {
    workspace_id,
    valuation_id,
    business_id,
    summary,
    document,
    status: 'draft',
    conclusion: null,
    result: null,
    evidence: evidence.map(item => ({ ...item, valuation_id })),
    supersedes_id,
    superseded_by_id: null,
    signature: null,
    created_by,
    revision: 1,
    created_at: at,
    updated_at: at,
    completed_at: null,
    claimed_at: null,
  }
  return row as OpenedValuation
}

/** Saves the document of a draft as a new revision. */
export function saveDocument(
  tx: Transaction,
  draft: OpenedValuation,
  document: ValuationDocument,
  now: Date,
): OpenedValuation {
  const { business_id = null, subject } = document
  const summary = summaryOf(document)
  tx.save(documentSave, [
    draft.workspace_id,
    draft.valuation_id,
    business_id,
    subject.type,
    subject.id ?? null,
    JSON.stringify(document),
    JSON.stringify(summary),
    now,
    draft.revision,
  ])
  return { ...later(draft, now), business_id, document, summary }
}

/** Completes a draft with what the engine made of it. `isNew`: it was inserted by this change, so it keeps its revision. */
export function completeValuation(
  tx: Transaction,
  draft: OpenedValuation,
  valued: ValuedTexts,
  now: Date,
  { isNew = false } = {},
): OpenedValuation {
  const { workspace_id, valuation_id } = draft
  const result = JSON.parse(valued.result) as ValuationResult
  const { conclusion } = result
  const saved = isNew ? draft : later(draft, now)
  tx.save(completion, [
    workspace_id,
    valuation_id,
    JSON.stringify(conclusion),
    saved.revision,
    now,
    draft.revision,
  ])
  tx.save(resultInsert, [workspace_id, valuation_id, valued.result, valued.calculation])
  return { ...saved, status: 'completed', conclusion, result, completed_at: now.toISOString() }
}

/** Saves that another valuation replaces a completed one. */
export function saveSuperseded(
  tx: Transaction,
  completed: OpenedValuation,
  superseded_by_id: ValuationId,
  now: Date,
): OpenedValuation {
  tx.save(supersededSave, [
    completed.workspace_id,
    completed.valuation_id,
    superseded_by_id,
    now,
    completed.revision,
  ])
  return { ...later(completed, now), superseded_by_id }
}

/** Saves the signature of a completed valuation. */
export function saveSignature(
  tx: Transaction,
  completed: OpenedValuation,
  signature: Signature,
  now: Date,
): OpenedValuation {
  tx.save(signatureSave, [
    completed.workspace_id,
    completed.valuation_id,
    JSON.stringify(signature),
    now,
    completed.revision,
  ])
  return { ...later(completed, now), signature }
}

/** A row with its next revision. */
const later = (row: OpenedValuation, now: Date): OpenedValuation => ({
  ...row,
  revision: row.revision + 1,
  updated_at: now.toISOString(),
})

const valuationInsert = write(
  'valuation_insert',
  `insert into valuations (workspace_id, id, business_id, subject_type, subject_id, document, summary, supersedes_id, created_by,
     created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
)

// The document names evidence by its id, so a copy keeps it.
const evidenceCopy = write(
  'valuation_evidence_copy',
  `insert into valuation_evidence (workspace_id, valuation_id, id, code, file_id, file_version_id, sha256, pointer, dated_on,
     known_or_knowable, note, added_by, created_at)
   select workspace_id, $3, id, code, file_id, file_version_id, sha256, pointer, dated_on, known_or_knowable, note, added_by,
     created_at
   from valuation_evidence where workspace_id = $1 and valuation_id = $2`,
)

const documentSave = updateRevision(
  'valuation_document_save',
  `update valuations set business_id = $3, subject_type = $4, subject_id = $5, document = $6, summary = $7,
     revision = revision + 1, updated_at = $8
   where workspace_id = $1 and id = $2 and revision = $9`,
)

const completion = updateRevision(
  'valuation_complete',
  `update valuations set status = 'completed', conclusion = $3, revision = $4, updated_at = $5, completed_at = $5
   where workspace_id = $1 and id = $2 and revision = $6`,
)

const resultInsert = write(
  'valuation_result_insert',
  'insert into valuation_results (workspace_id, valuation_id, result, calculation) values ($1, $2, $3, $4)',
)

const supersededSave = updateRevision(
  'valuation_superseded_save',
  `update valuations set superseded_by_id = $3, revision = revision + 1, updated_at = $4
   where workspace_id = $1 and id = $2 and revision = $5`,
)

const signatureSave = updateRevision(
  'valuation_signature_save',
  `update valuations set signature = $3, revision = revision + 1, updated_at = $4
   where workspace_id = $1 and id = $2 and revision = $5`,
)
