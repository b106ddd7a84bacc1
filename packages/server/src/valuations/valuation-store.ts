import type { Id } from '@wbs/contract/ids'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import { jsonTimeSql } from '../database/database-time.ts'
import { mayLockForSql } from '../database/locks.ts'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/connections/writer.ts'
import type { StoredNode } from './engine/calculation/node.ts'
import type { EvidenceItem } from './engine/engine.ts'

export type ValuationId = `val_${string}`

/** What a person stated when they signed a valuation. */
export interface Signature {
  signed_by: { user_id: string; name: string | null }
  signed_at: string
  statement: string
  qualifications: string
  result_hash: string
}

/** What a list shows of a document. */
export type DocumentSummary = Pick<
  ValuationDocument,
  'engagement_type' | 'purpose' | 'valuation_date' | 'currency'
> & {
  subject: { type: ValuationDocument['subject']['type']; id: string | null; name: string | null }
}

/** A valuation without its document and its result, which may have megabytes. */
export interface SummaryRow {
  /** Null for the valuation of a visitor, which is in no Workspace. */
  workspace_id: string | null
  valuation_id: ValuationId
  business_id: Id<'biz'> | null
  summary: DocumentSummary
  status: 'draft' | 'completed'
  conclusion: ValuationResult['conclusion'] | null
  supersedes_id: ValuationId | null
  superseded_by_id: ValuationId | null
  signature: Signature | null
  /** Null if a visitor had it made. */
  created_by: string | null
  revision: number
  created_at: string
  updated_at: string
  completed_at: string | null
  claimed_at: string | null
}

/** A valuation, with its result if it is completed. */
export interface ValuationRow extends SummaryRow {
  document: ValuationDocument
  result: ValuationResult | null
  /** The evidence, in the order in which it was added. */
  evidence: EvidenceRow[]
}

/** Evidence as it is stored. */
export interface EvidenceRow extends EvidenceItem {
  valuation_id: ValuationId
  file_id: string
  file_version_id: string
  sha256: string
  pointer: string | null
  note: string | null
  added_by: string
  created_at: string
}

/** What a valuation concludes, where another slice shows it. */
export interface ConcludedValuation {
  /** The point of the conclusion; null for a draft, like the time. */
  value: string | null
  as_of: string | null
}

/** The columns of a ConcludedValuation in JSON from the row `v`. */
export const concludedColumnsSql = `
  v.conclusion #>> '{point,amount}' as value, ${jsonTimeSql('v.completed_at')} as as_of`

/** What a valuation of the Workspace concludes; undefined if there is none. */
export const concludedById = (
  reader: Reader,
  workspace_id: string,
  valuation_id: string,
): Promise<ConcludedValuation | undefined> => reader.one(concluded, { workspace_id, valuation_id })

declare const opened: unique symbol

/**
 * A valuation that was opened for a change: it is locked, and the caller's permission was checked. Functions that save a
 * valuation require this type, and only valuation-access.ts returns it.
 */
export type OpenedValuation = ValuationRow & { workspace_id: string; readonly [opened]: true }

const moment = (column: string) => jsonTimeSql(`e.${column}`)

/** A row of valuation_evidence as an EvidenceRow in JSON. */
const evidenceSql = `jsonb_build_object(
  'evidence_id', e.id, 'valuation_id', e.valuation_id, 'code', e.code, 'file_id', e.file_id,
  'file_version_id', e.file_version_id, 'sha256', e.sha256, 'pointer', e.pointer, 'dated_on', e.dated_on,
  'known_or_knowable', e.known_or_knowable, 'note', e.note, 'added_by', e.added_by, 'created_at', ${moment('created_at')})`

/** The columns of a SummaryRow from the row `v`. */
export const summaryColumnsSql = `
  v.workspace_id, v.id as valuation_id, v.business_id, v.summary, v.status, v.conclusion, v.supersedes_id, v.superseded_by_id,
  v.signature, v.created_by, v.revision, v.created_at, v.updated_at, v.completed_at, v.claimed_at`

const valuationColumnsSql = `${summaryColumnsSql}, v.document,
  (select r.result from valuation_results r where r.workspace_id = :workspace_id and r.valuation_id = v.id) as result,
  array(
    select ${evidenceSql} from valuation_evidence e
    where e.workspace_id = :workspace_id and e.valuation_id = v.id order by e.id
  ) as evidence`

/** A valuation of the Workspace. */
export const valuationById = (
  reader: Reader,
  workspace_id: string,
  valuation_id: string,
): Promise<ValuationRow | undefined> => reader.one(valuation, { workspace_id, valuation_id })

/** Whether there is a valuation in the Workspace. */
export const valuationExists = async (
  reader: Reader,
  workspace_id: string,
  valuation_id: string,
): Promise<boolean> => (await reader.one(existingValuation, { workspace_id, valuation_id })) !== undefined

/** The calculation of a completed valuation. */
export const calculationOf = async (
  reader: Reader,
  workspace_id: string,
  valuation_id: string,
): Promise<StoredNode[] | undefined> =>
  (await reader.one(calculation, { workspace_id, valuation_id }))?.calculation

/**
 * Locks a valuation, so that other changes of it wait, and reads it under the lock. `seal` identifies the standing that the
 * transaction has checked; for another standing nothing is locked.
 */
export async function lockValuation(
  tx: Transaction,
  workspace_id: string,
  valuation_id: string,
  seal: string,
): Promise<ValuationRow | undefined> {
  const [locked, row] = await Promise.all([
    tx.run(valuationLock, { workspace_id, valuation_id, seal }),
    tx.one(valuation, { workspace_id, valuation_id }),
  ])
  return locked.length > 0 ? row : undefined
}

const valuation = read<ValuationRow>(
  'valuation',
  `select ${valuationColumnsSql} from valuations v where v.workspace_id = :workspace_id and v.id = :valuation_id`,
)

const concluded = read<ConcludedValuation>(
  'valuation_concluded',
  `select ${concludedColumnsSql} from valuations v where v.workspace_id = :workspace_id and v.id = :valuation_id`,
)

const existingValuation = read<object>(
  'valuation_exists',
  'select from valuations where workspace_id = :workspace_id and id = :valuation_id',
)

const calculation = read<{ calculation: StoredNode[] }>(
  'valuation_calculation',
  'select calculation from valuation_results where workspace_id = :workspace_id and valuation_id = :valuation_id',
)

const valuationLock = write<object>(
  'valuation_lock',
  `select pg_advisory_xact_lock(lock_number('valuation', :workspace_id, v.id)) from valuations v
   where v.workspace_id = :workspace_id and v.id = :valuation_id and ${mayLockForSql(':seal::text')}`,
)
