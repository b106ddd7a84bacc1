import { createPortfolio } from '@wbs/contract/valuations/portfolios'
import { implement } from '../../call/implement.ts'
import { readNamedBusiness, requireNamedBusiness } from '../naming/named-business-access.ts'
import { insertPortfolio } from './portfolio-change-store.ts'
import { portfolioAsSubject, presentPortfolio } from './portfolio-view.ts'

export const handleCreatePortfolio = implement(
  createPortfolio,
  async function createPortfolio(input, context) {
    const { name, currency, business_id = null } = input
    const { tx, caller, standing, now, refuse } = context
    requireNamedBusiness(await readNamedBusiness(context, tx, business_id), refuse)
    const portfolio = insertPortfolio(
      tx,
      { workspace_id: standing.workspace_id, business_id, name, currency, created_by: caller.user_id },
      now,
    )
    return {
      result: { data: presentPortfolio(portfolio) },
      revision: portfolio.revision,
      resource: { type: 'portfolio', id: portfolio.portfolio_id },
      events: [{ type: 'portfolio.created', subject: portfolioAsSubject(portfolio) }],
    }
  },
  { prefetch: ({ business_id = null }, context) => readNamedBusiness(context, context.tx, business_id) },
)
