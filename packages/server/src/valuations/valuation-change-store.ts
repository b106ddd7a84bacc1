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
  const { business_id = null } = document
  const summary = summaryOf(document)
  tx.save(valuationInsert, {
    ...columnsOf(document),
    workspace_id,
    valuation_id,
    supersedes_id,
    created_by,
    now,
  })
  if (supersedes_id !== null) tx.save(evidenceCopy, { workspace_id, copied_id: supersedes_id, valuation_id })
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
  const { business_id = null } = document
  tx.save(documentSave, { ...draft, ...columnsOf(document), now })
  return { ...later(draft, now), business_id, document, summary: summaryOf(document) }
}

/** What the columns of a valuation hold of its document. */
const columnsOf = (document: ValuationDocument) => ({
  business_id: document.business_id ?? null,
  subject_type: document.subject.type,
  subject_id: document.subject.id ?? null,
  document: JSON.stringify(document),
  summary: JSON.stringify(summaryOf(document)),
})

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
  tx.save(completion, {
    workspace_id,
    valuation_id,
    conclusion: JSON.stringify(conclusion),
    revision: draft.revision,
    next_revision: saved.revision,
    now,
  })
  tx.save(resultInsert, { ...valued, workspace_id, valuation_id })
  return { ...saved, status: 'completed', conclusion, result, completed_at: now.toISOString() }
}

/** Saves that another valuation replaces a completed one. */
export function saveSuperseded(
  tx: Transaction,
  completed: OpenedValuation,
  superseded_by_id: ValuationId,
  now: Date,
): OpenedValuation {
  tx.save(supersededSave, { ...completed, superseded_by_id, now })
  return { ...later(completed, now), superseded_by_id }
}

/** Saves the signature of a completed valuation. */
export function saveSignature(
  tx: Transaction,
  completed: OpenedValuation,
  signature: Signature,
  now: Date,
): OpenedValuation {
  tx.save(signatureSave, { ...completed, signature: JSON.stringify(signature), now })
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
   values (:workspace_id, :valuation_id, :business_id, :subject_type, :subject_id, :document, :summary, :supersedes_id,
     :created_by, :now, :now)`,
)

// The document names evidence by its id, so a copy keeps it.
const evidenceCopy = write(
  'valuation_evidence_copy',
  `insert into valuation_evidence (workspace_id, valuation_id, id, code, file_id, file_version_id, sha256, pointer, dated_on,
     known_or_knowable, note, added_by, created_at)
   select workspace_id, :valuation_id, id, code, file_id, file_version_id, sha256, pointer, dated_on, known_or_knowable, note,
     added_by, created_at
   from valuation_evidence where workspace_id = :workspace_id and valuation_id = :copied_id`,
)

const documentSave = updateRevision(
  'valuation_document_save',
  `update valuations
   set business_id = :business_id, subject_type = :subject_type, subject_id = :subject_id, document = :document,
     summary = :summary, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :valuation_id and revision = :revision`,
)

const completion = updateRevision(
  'valuation_complete',
  `update valuations
   set status = 'completed', conclusion = :conclusion, revision = :next_revision, updated_at = :now, completed_at = :now
   where workspace_id = :workspace_id and id = :valuation_id and revision = :revision`,
)

const resultInsert = write(
  'valuation_result_insert',
  `insert into valuation_results (workspace_id, valuation_id, result, calculation)
   values (:workspace_id, :valuation_id, :result, :calculation)`,
)

const supersededSave = updateRevision(
  'valuation_superseded_save',
  `update valuations set superseded_by_id = :superseded_by_id, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :valuation_id and revision = :revision`,
)

const signatureSave = updateRevision(
  'valuation_signature_save',
  `update valuations set signature = :signature, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :valuation_id and revision = :revision`,
)
