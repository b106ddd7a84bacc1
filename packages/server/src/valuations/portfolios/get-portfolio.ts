import { getPortfolio } from '@wbs/contract/valuations/portfolios'
import { implement } from '../../call/implement.ts'
import { requirePortfolio } from './portfolio-access.ts'
import { presentPortfolio } from './portfolio-view.ts'

export const handleGetPortfolio = implement(
  getPortfolio,
  async function getPortfolio({ portfolio_id }, context) {
    const portfolio = await requirePortfolio(context, context.read, portfolio_id)
    return { result: { data: presentPortfolio(portfolio) }, revision: portfolio.revision }
  },
)
