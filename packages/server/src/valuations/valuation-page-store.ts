import type { ValuationStatus } from '@wbs/contract/valuations/valuations'
import { read, type Reader } from '../database/statement.ts'
import { summaryColumnsSql, type SummaryRow } from './valuation-store.ts'

export interface ValuationFilter {
  business_id: string | undefined
  subject_type: string | undefined
  status: ValuationStatus | undefined
}

/** The valuations of a Workspace after one of them, in the order of their creation. */
export function valuationsPage(
  reader: Reader,
  workspace_id: string,
  filter: ValuationFilter,
  page: { after: string; limit: number },
): Promise<SummaryRow[]> {
  return reader.many(valuations, { ...filter, ...page, workspace_id })
}

const valuations = read<SummaryRow>(
  'valuations_page',
  `select ${summaryColumnsSql} from valuations v
   where v.workspace_id = :workspace_id and v.id > :after and (:business_id::text is null or v.business_id = :business_id)
     and (:subject_type::text is null or v.subject_type = :subject_type) and (:status::text is null or v.status = :status)
   order by v.id limit :limit`,
  'custom_plan',
)
