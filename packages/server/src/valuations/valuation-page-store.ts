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
  { business_id, subject_type, status }: ValuationFilter,
  { after, limit }: { after: string; limit: number },
): Promise<SummaryRow[]> {
  return reader.many(valuations, [workspace_id, after, limit, business_id, subject_type, status])
}

const valuations = read<SummaryRow>(
  'valuations_page',
  `select ${summaryColumnsSql} from valuations v
   where v.workspace_id = $1 and v.id > $2 and ($4::text is null or v.business_id = $4)
     and ($5::text is null or v.subject_type = $5) and ($6::text is null or v.status = $6)
   order by v.id limit $3`,
  'custom_plan',
)
