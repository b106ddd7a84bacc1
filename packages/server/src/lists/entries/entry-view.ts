import type { BusinessField } from '@wbs/contract/businesses/businesses'
import { presentBusiness, type BusinessRow } from '../../businesses/business-view.ts'
import type { EntryRow } from './entry-sql.ts'

/** A member of a List for an answer, with facts of the Business if any were asked for. */
export function presentEntry(row: EntryRow, fields: readonly BusinessField[] = []) {
  const { id, name, source, projection, values } = row
  return {
    member_id: id,
    subject: { type: 'business' as const, id, name },
    source,
    values,
    projection,
    ...(fields.length > 0 && { business: presentBusiness(row as unknown as BusinessRow, fields) }),
  }
}
