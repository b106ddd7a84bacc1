import { newId, type Id } from '@wbs/contract/ids'
import { updateRevision, write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { DescribedPortfolio, OpenedPortfolio, PortfolioRow } from './portfolio-store.ts'

export interface NewPortfolio extends DescribedPortfolio {
  workspace_id: string
  business_id: Id<'biz'> | null
  created_by: string
}

/** Inserts a portfolio without holdings. */
export function insertPortfolio(
  tx: Transaction,
  { created_by, ...portfolio }: NewPortfolio,
  now: Date,
): PortfolioRow {
  const portfolio_id = newId('pfl', now.getTime())
  tx.save(insert, { ...portfolio, portfolio_id, created_by, now })
  const at = now.toISOString()
  return { ...portfolio, portfolio_id, holding_count: 0, revision: 1, created_at: at, updated_at: at }
}

/** Saves what describes a portfolio, and how many holdings it has, as a new revision. */
export function savePortfolio(tx: Transaction, portfolio: OpenedPortfolio, now: Date): PortfolioRow {
  tx.save(save, { ...portfolio, now })
  return { ...portfolio, revision: portfolio.revision + 1, updated_at: now.toISOString() }
}

const insert = write(
  'portfolio_insert',
  `insert into portfolios (workspace_id, id, business_id, name, currency, created_by, created_at, updated_at)
   values (:workspace_id, :portfolio_id, :business_id, :name, :currency, :created_by, :now, :now)`,
)

const save = updateRevision(
  'portfolio_save',
  `update portfolios
   set business_id = :business_id, name = :name, currency = :currency, holding_count = :holding_count,
     revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :portfolio_id and revision = :revision`,
)
