import { listValuations } from '@wbs/contract/valuations/valuations'
import { implement } from '../call/implement.ts'
import { pageOf } from '../call/page.ts'
import { readNamedBusiness, requireNamedBusiness } from './naming/named-business-access.ts'
import { valuationsPage } from './valuation-page-store.ts'
import { presentSummary } from './valuation-view.ts'

export const handleListValuations = implement(listValuations, async function listValuations(input, context) {
  const { business_id, subject_type, status, cursor: after = '', limit = 20 } = input
  const { standing, read, refuse } = context
  const filter = { business_id, subject_type, status }
  const [business, rows] = await Promise.all([
    readNamedBusiness(context, read, business_id),
    valuationsPage(read, standing.workspace_id, filter, { after, limit: limit + 1 }),
  ])
  requireNamedBusiness(business, refuse)
  const { data, page } = pageOf(rows, limit, row => row.valuation_id)
  return { result: { data: data.map(presentSummary), page } }
})
