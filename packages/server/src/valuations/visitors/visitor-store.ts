import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { readUnscoped, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { StoredNode } from '../engine/calculation/node.ts'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { ValuedTexts } from '../engine-threads/engine-order.ts'
import { newValuationId } from '../valuation-change-store.ts'
import { summaryOf } from '../valuation.ts'
import type { ValuationRow } from '../valuation-store.ts'

/** The valuation of a visitor, who has no account. It is in no Workspace. */
export interface VisitorValuation extends ValuationRow {
  workspace_id: null
  /** Until when it can be read and claimed. */
  expires_at: string
}

/** The valuation that a token reads; undefined without one. An expired one is found until it is swept. */
export async function valuationByToken(
  reader: Reader,
  valuation_id: string,
  digest: Buffer,
): Promise<(VisitorValuation & { is_expired: boolean }) | undefined> {
  const row = await reader.one(visitorValuationByToken, { valuation_id, digest })
  return row && { ...asValuation(row), is_expired: row.is_expired }
}

/** The calculation of the valuation that a token reads; null of a draft. */
export const calculationByToken = async (
  reader: Reader,
  valuation_id: string,
  digest: Buffer,
): Promise<StoredNode[] | null | undefined> =>
  (await reader.one(visitorCalculation, { valuation_id, digest }))?.calculation

/** What an earlier request made. */
export interface EarlierValuation {
  request_id: string
  /** Null if it was claimed or has expired, so that nobody may read it as a visitor any more. */
  valuation: VisitorValuation | null
}

/** What an earlier request with the same digest made; undefined if there was none. */
export async function valuationByRequest(
  tx: Transaction,
  request_digest: Buffer,
): Promise<EarlierValuation | undefined> {
  const row = await tx.one(visitorValuationByRequest, { request_digest })
  return row && { request_id: row.request_id, valuation: row.is_over ? null : asValuation(row) }
}

export interface NewVisitorValuation {
  /** As `storedDocument` gives it. */
  document: ValuationDocument
  /** Null for a draft. */
  valued: ValuedTexts | null
  request_digest: Buffer
  request_id: string
  claim_digest: Buffer
}

/**
 * Inserts a valuation that can be read and claimed for 30 days. Undefined if another request with the same digest was faster:
 * it waits for that one.
 */
export async function insertVisitorValuation(
  tx: Transaction,
  given: NewVisitorValuation,
): Promise<VisitorValuation | undefined> {
  const { document, valued } = given
  const valuation_id = newValuationId()
  const summary = summaryOf(document)
  const result = valued && (JSON.parse(valued.result) as ValuationResult)
  const conclusion = result && result.conclusion
  const [row] = await tx.run(visitorValuationInsert, {
    ...given,
    valuation_id,
    document: JSON.stringify(document),
    summary: JSON.stringify(summary),
    conclusion: conclusion && JSON.stringify(conclusion),
    result: valued && valued.result,
    calculation: valued && valued.calculation,
  })
  return row && asValuation({ ...row, valuation_id, document, summary, conclusion, result })
}

type StoredRow = Pick<
  VisitorValuation,
  'valuation_id' | 'document' | 'summary' | 'status' | 'conclusion' | 'result' | 'created_at' | 'expires_at'
>

/** A valuation as a Workspace would have it. Nobody changes it, and whoever runs it does so when it is created. */
const asValuation = (row: StoredRow): VisitorValuation => ({
  workspace_id: null,
  valuation_id: row.valuation_id,
  business_id: null,
  summary: row.summary,
  document: row.document,
  status: row.status,
  conclusion: row.conclusion,
  result: row.result,
  evidence: [],
  supersedes_id: null,
  superseded_by_id: null,
  signature: null,
  created_by: null,
  revision: 1,
  created_at: row.created_at,
  updated_at: row.created_at,
  completed_at: row.status === 'completed' ? row.created_at : null,
  claimed_at: null,
  expires_at: row.expires_at,
})

const columns =
  'v.id as valuation_id, v.document, v.summary, v.status, v.conclusion, v.result, v.created_at, v.expires_at'

const visitorValuationByToken = readUnscoped<StoredRow & { is_expired: boolean }>(
  'visitor_valuation_by_token',
  `select ${columns}, v.expires_at <= statement_timestamp() as is_expired
   from visitor_valuations v where v.id = :valuation_id and v.claim_digest = :digest`,
)

const visitorCalculation = readUnscoped<{ calculation: StoredNode[] | null }>(
  'visitor_valuation_calculation',
  'select calculation from visitor_valuations where id = :valuation_id and claim_digest = :digest',
)

const visitorValuationByRequest = readUnscoped<StoredRow & { request_id: string; is_over: boolean }>(
  'visitor_valuation_by_request',
  `select ${columns}, v.request_id, v.claimed_at is not null or v.expires_at <= statement_timestamp() as is_over
   from visitor_valuations v where v.request_digest = :request_digest`,
)

const visitorValuationInsert = write<Pick<StoredRow, 'status' | 'created_at' | 'expires_at'>>(
  'visitor_valuation_insert',
  `insert into visitor_valuations (id, request_digest, request_id, claim_digest, document, summary, status, conclusion, result,
     calculation, created_at, expires_at)
   values (:valuation_id, :request_digest, :request_id, :claim_digest, :document, :summary,
     case when :result::json is null then 'draft' else 'completed' end, :conclusion, :result, :calculation,
     statement_timestamp(), statement_timestamp() + interval '30 days')
   on conflict (request_digest) do nothing
   returning status, created_at, expires_at`,
)
