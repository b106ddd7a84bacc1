import type { Id } from '@wbs/contract/ids'
import { mayLockForSql } from '../../database/locks.ts'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** What describes a portfolio and can be edited. */
export interface DescribedPortfolio {
  business_id: string | null
  name: string
  currency: string
}

export interface PortfolioRow extends DescribedPortfolio {
  workspace_id: string
  portfolio_id: Id<'pfl'>
  business_id: Id<'biz'> | null
  holding_count: number
  revision: number
  created_at: string
  updated_at: string
}

declare const opened: unique symbol

/** A portfolio that was opened for a change: it is locked, and was read under that lock. */
export type OpenedPortfolio = PortfolioRow & { readonly [opened]: true }

/** A portfolio of a Workspace. */
export const portfolioById = (
  reader: Reader,
  workspace_id: string,
  portfolio_id: string,
): Promise<PortfolioRow | undefined> => reader.one(byId, { workspace_id, portfolio_id })

/** Locks a portfolio for the standing with this seal, and reads it. */
export async function lockPortfolio(
  tx: Transaction,
  workspace_id: string,
  portfolio_id: string,
  seal: string,
): Promise<OpenedPortfolio | undefined> {
  const [locked, portfolio] = await Promise.all([
    tx.run(lock, { workspace_id, portfolio_id, seal }),
    portfolioById(tx, workspace_id, portfolio_id),
  ])
  return locked.length > 0 ? (portfolio as OpenedPortfolio | undefined) : undefined
}

export const portfolioColumnsSql = `workspace_id, id as portfolio_id, business_id, name, currency, holding_count, revision,
  created_at, updated_at`

const byId = read<PortfolioRow>(
  'portfolio_by_id',
  `select ${portfolioColumnsSql} from portfolios where workspace_id = :workspace_id and id = :portfolio_id`,
)

const lock = write<object>(
  'portfolio_lock',
  `select pg_advisory_xact_lock(lock_number('portfolio', :workspace_id, id)) from portfolios
   where workspace_id = :workspace_id and id = :portfolio_id and ${mayLockForSql(':seal::text')}`,
)
