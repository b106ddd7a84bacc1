import { listHoldings } from '@wbs/contract/valuations/portfolios'
import { implement } from '../../../call/implement.ts'
import { pageOf } from '../../../call/page.ts'
import { requirePortfolio } from '../portfolio-access.ts'
import { holdingsPage } from './holding-store.ts'
import { presentHolding } from './holding-view.ts'

export const handleListHoldings = implement(listHoldings, async function listHoldings(input, context) {
  const { portfolio_id, cursor: after = '', limit = 20 } = input
  const { read, standing } = context
  const [, rows] = await Promise.all([
    requirePortfolio(context, read, portfolio_id),
    holdingsPage(read, standing.workspace_id, portfolio_id, { after, limit: limit + 1 }),
  ])
  const { data, page } = pageOf(rows, limit, row => row.key)
  return { result: { data: data.map(presentHolding), page } }
})
