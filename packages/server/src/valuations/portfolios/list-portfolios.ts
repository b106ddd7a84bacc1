import { listPortfolios } from '@wbs/contract/valuations/portfolios'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { readNamedBusiness, requireNamedBusiness } from '../naming/named-business-access.ts'
import { portfoliosPage } from './portfolio-page-store.ts'
import { presentPortfolio } from './portfolio-view.ts'

export const handleListPortfolios = implement(listPortfolios, async function listPortfolios(input, context) {
  const { business_id, cursor: after = '', limit = 20 } = input
  const { read, standing, refuse } = context
  const [business, rows] = await Promise.all([
    readNamedBusiness(context, read, business_id),
    portfoliosPage(read, standing.workspace_id, business_id, { after, limit: limit + 1 }),
  ])
  requireNamedBusiness(business, refuse)
  const { data, page } = pageOf(rows, limit, row => row.portfolio_id)
  return { result: { data: data.map(presentPortfolio), page } }
})
