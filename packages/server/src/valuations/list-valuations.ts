import { listValuations } from '@wbs/contract/valuations/valuations'
import { implement } from '../call/implement.ts'
import { pageOf } from '../call/page.ts'
import { valuationsPage } from './valuation-page-store.ts'
import { presentSummary } from './valuation-view.ts'

export const handleListValuations = implement(listValuations, async function listValuations(input, context) {
  const { business_id, subject_type, status, cursor: after = '', limit = 20 } = input
  const { standing, read } = context
  const filter = { business_id, subject_type, status }
  const rows = await valuationsPage(read, standing.workspace_id, filter, { after, limit: limit + 1 })
  const { data, page } = pageOf(rows, limit, row => row.valuation_id)
  return { result: { data: data.map(presentSummary), page } }
})
