import type { Id } from '@wbs/contract/ids'
import { read, write, type Reader } from '../../../database/statement.ts'
import type { Transaction } from '../../../database/connections/writer.ts'
import type { DescribedHolding } from './holding.ts'

export interface HoldingRow extends DescribedHolding {
  workspace_id: string
  portfolio_id: Id<'pfl'>
  key: string
  updated_at: string
}

/** A holding of a portfolio. */
export const holdingByKey = (
  reader: Reader,
  workspace_id: string,
  portfolio_id: string,
  key: string,
): Promise<HoldingRow | undefined> => reader.one(byKey, { workspace_id, portfolio_id, key })

/** The holdings of a portfolio by key. */
export const holdingsPage = (
  reader: Reader,
  workspace_id: string,
  portfolio_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<HoldingRow[]> => reader.many(page, { workspace_id, portfolio_id, after, limit })

/** Inserts a holding, or replaces the one with its key. */
export function putHolding(tx: Transaction, holding: HoldingRow): void {
  const { subject, discount } = holding
  tx.save(put, {
    ...holding,
    subject_type: subject.type,
    subject_id: subject.id,
    discount_rate: discount && discount.rate,
    discount_reason: discount && discount.reason,
  })
}

export const removeHolding = (
  tx: Transaction,
  holding: Pick<HoldingRow, 'workspace_id' | 'portfolio_id' | 'key'>,
): void => tx.save(remove, holding)

/** What a holding needs to know of the valuation that it names. */
export interface NamedValuation {
  status: 'draft' | 'completed'
  subject_type: 'business' | 'asset' | 'portfolio'
  subject_id: string | null
  /** Whether it is the value of the whole for its owners, of which a holding has a part. */
  is_of_whole: boolean
}

/**
 * SQL: whether the valuation of a row is the value of the whole for its owners: all of the equity, or of an asset. The assets of a
 * Business are valued free of its debt, so they are not what its owners have.
 */
export const isOfWholeSql = (row: string) => `(
  (${row}.document -> 'interest' ->> 'percent')::numeric = 100
  and ${row}.document -> 'interest' ->> 'kind' is distinct from 'invested_capital'
  and (${row}.subject_type <> 'business' or ${row}.document -> 'interest' ->> 'kind' is distinct from 'assets'))`

/** A valuation of the Workspace that a holding names. */
export const namedValuation = (
  reader: Reader,
  workspace_id: string,
  valuation_id: string,
): Promise<NamedValuation | undefined> => reader.one(valuationById, { workspace_id, valuation_id })

const columns = `workspace_id, portfolio_id, key, json_build_object('type', subject_type, 'id', subject_id) as subject,
  ownership_percent, valuation_id,
  case when discount_rate is not null then json_build_object('rate', discount_rate, 'reason', discount_reason) end as discount,
  updated_at`

const byKey = read<HoldingRow>(
  'holding_by_key',
  `select ${columns} from portfolio_holdings
   where workspace_id = :workspace_id and portfolio_id = :portfolio_id and key = :key`,
)

const page = read<HoldingRow>(
  'holdings_page',
  `select ${columns} from portfolio_holdings
   where workspace_id = :workspace_id and portfolio_id = :portfolio_id and key > :after order by key limit :limit`,
  'long',
)

const valuationById = read<NamedValuation>(
  'holding_valuation_named',
  `select v.status, v.subject_type, v.subject_id, ${isOfWholeSql('v')} as is_of_whole
   from valuations v where v.workspace_id = :workspace_id and v.id = :valuation_id`,
)

const put = write(
  'holding_put',
  `insert into portfolio_holdings (workspace_id, portfolio_id, key, subject_type, subject_id, ownership_percent,
     valuation_id, discount_rate, discount_reason, updated_at)
   values (:workspace_id, :portfolio_id, :key, :subject_type, :subject_id, :ownership_percent, :valuation_id, :discount_rate,
     :discount_reason, :updated_at)
   on conflict (workspace_id, portfolio_id, key) do update set
     subject_type = excluded.subject_type, subject_id = excluded.subject_id,
     ownership_percent = excluded.ownership_percent, valuation_id = excluded.valuation_id,
     discount_rate = excluded.discount_rate, discount_reason = excluded.discount_reason,
     updated_at = excluded.updated_at`,
)

const remove = write(
  'holding_remove',
  'delete from portfolio_holdings where workspace_id = :workspace_id and portfolio_id = :portfolio_id and key = :key',
)
