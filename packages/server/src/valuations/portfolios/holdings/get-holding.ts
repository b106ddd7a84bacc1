import { getHolding } from '@wbs/contract/valuations/portfolios'
import { implement } from '../../../call/implement.ts'
import { requirePortfolio } from '../portfolio-access.ts'
import { holdingByKey } from './holding-store.ts'
import { presentHolding } from './holding-view.ts'

export const handleGetHolding = implement(
  getHolding,
  async function getHolding({ portfolio_id, key }, context) {
    const { read, standing, refuse } = context
    const [, holding] = await Promise.all([
      requirePortfolio(context, read, portfolio_id),
      holdingByKey(read, standing.workspace_id, portfolio_id, key),
    ])
    if (!holding) throw refuse.not_found('The portfolio has no holding with this key.')
    return { result: { data: presentHolding(holding) } }
  },
)
