import { mayLockForSql } from '../../../database/locks.ts'
import { read, write, type Reader } from '../../../database/statement.ts'
import type { Transaction } from '../../../database/connections/writer.ts'
import { mostHoldingsInTree, mostLevels } from './holding.ts'

/**
 * Locks which portfolios of the Workspace hold which, for the standing with this seal, if the Workspace has the portfolio.
 * Returns whether it is locked. Two changes that together close a cycle thus run one after the other.
 */
export const lockHoldingGraph = async (
  tx: Transaction,
  workspace_id: string,
  portfolio_id: string,
  seal: string,
): Promise<boolean> => (await tx.run(graphLock, { workspace_id, portfolio_id, seal })).length > 0

/** What lies above a portfolio, and below one that it is to hold. */
export interface HoldingChain {
  /** Whether the portfolio to be held holds the other one, itself or through others. */
  closes_cycle: boolean
  /** How many portfolios a chain would have. More than `mostLevels` are not counted. */
  levels: number
  /** How many portfolios, each on each of its levels. More than `mostHoldingsInTree` are not counted. */
  portfolios: number
}

/** What holding another portfolio would bring about. */
export const chainOf = async (
  reader: Reader,
  workspace_id: string,
  { portfolio_id, held_id }: { portfolio_id: string; held_id: string },
): Promise<HoldingChain> => {
  const chain = await reader.one(chainAround, { workspace_id, portfolio_id, held_id })
  if (!chain) throw new Error('A statement without from gave no row.')
  return chain
}

const graphLock = write<object>(
  'holding_graph_lock',
  `select pg_advisory_xact_lock(lock_number('portfolios', :workspace_id, '')) from portfolios
   where workspace_id = :workspace_id and id = :portfolio_id and ${mayLockForSql(':seal::text')}`,
)

// A portfolio on a level counts once, so both walks end although many may hold the same one.
const chainAround = read<HoldingChain>(
  'holding_chain',
  `with recursive below (portfolio_id, level) as (
     select p.id, 1 from portfolios p where p.workspace_id = :workspace_id and p.id = :held_id
     union
     select h.subject_id, below.level + 1
     from below join portfolio_holdings h on h.workspace_id = :workspace_id and h.portfolio_id = below.portfolio_id
     where h.subject_type = 'portfolio' and below.level <= ${mostLevels}
   ), above (portfolio_id, level) as (
     select p.id, 1 from portfolios p where p.workspace_id = :workspace_id and p.id = :portfolio_id
     union
     select h.portfolio_id, above.level + 1
     from above join portfolio_holdings h on h.workspace_id = :workspace_id and h.subject_id = above.portfolio_id
     where h.subject_type = 'portfolio' and above.level <= ${mostLevels}
   ), held as materialized (
     select * from below limit ${mostHoldingsInTree + 1}
   ), holders as materialized (
     select * from above limit ${mostHoldingsInTree + 1}
   )
   select exists (select from held where portfolio_id = :portfolio_id) as closes_cycle,
     (select max(level) from held) + (select max(level) from holders) as levels,
     greatest((select count(*) from held), (select count(*) from holders))::integer as portfolios`,
  'long',
)
