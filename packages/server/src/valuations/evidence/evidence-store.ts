import { randomUUIDv7 } from 'node:crypto'
import { read, updateRevision, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { EvidenceRow, OpenedValuation } from '../valuation-store.ts'

export type NewEvidence = Omit<EvidenceRow, 'evidence_id' | 'valuation_id' | 'created_at'>

/** Adds evidence to a draft, which gets a new revision. */
export function insertEvidence(
  tx: Transaction,
  draft: OpenedValuation,
  evidence: NewEvidence,
  now: Date,
): EvidenceRow {
  const evidence_id = randomUUIDv7()
  const { workspace_id, valuation_id } = draft
  tx.save(valuationTouch, { ...draft, now })
  tx.save(evidenceInsert, { ...evidence, workspace_id, valuation_id, evidence_id, now })
  return { evidence_id, valuation_id, ...evidence, created_at: now.toISOString() }
}

/** The evidence of a valuation after one of its pieces, in the order in which it was added. */
export const evidencePage = (
  reader: Reader,
  workspace_id: string,
  valuation_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<EvidenceRow[]> => reader.many(evidenceOfValuation, { workspace_id, valuation_id, after, limit })

const valuationTouch = updateRevision(
  'valuation_touch',
  `update valuations set revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :valuation_id and revision = :revision`,
)

const evidenceInsert = write(
  'valuation_evidence_insert',
  `insert into valuation_evidence (workspace_id, valuation_id, id, code, file_id, file_version_id, sha256, pointer, dated_on,
     known_or_knowable, note, added_by, created_at)
   values (:workspace_id, :valuation_id, :evidence_id, :code, :file_id, :file_version_id, :sha256, :pointer, :dated_on,
     :known_or_knowable, :note, :added_by, :now)`,
)

const evidenceOfValuation = read<EvidenceRow>(
  'valuation_evidence_page',
  `select e.id as evidence_id, e.valuation_id, e.code, e.file_id, e.file_version_id, e.sha256, e.pointer,
     e.dated_on::text as dated_on, e.known_or_knowable, e.note, e.added_by, e.created_at
   from valuation_evidence e
   where e.workspace_id = :workspace_id and e.valuation_id = :valuation_id and e.id > :after order by e.id limit :limit`,
  'long',
)
