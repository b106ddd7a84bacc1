import {
  businessFields,
  recordFields,
  type BusinessField,
  type RecordField,
} from '@wbs/contract/businesses/businesses'
import type { Id } from '@wbs/contract/ids'

/** The fields of a Business that search returns. */
export interface BusinessRow {
  id: Id<'biz'>
  name: string
  publication_status: 'draft' | 'published' | 'withdrawn' | 'merged'
  status: 'active' | 'closed' | 'inactive' | 'unknown'
  closed_on: string | null
  description: string | null
  founded_on: string | null
  primary_classification_id: Id<'cls'> | null
  primary_location_id: Id<'loc'> | null
  published_at: string | null
  public_email: string | null
  public_phone: string | null
  website_url: string | null
  country_code: string | null
  state: string | null
  city: string | null
  naics_code: string | null
  naics_vintage: string | null
  naics_title: string | null
}

export interface BusinessRecordRow extends BusinessRow {
  legal_name: string | null
  founded_year: number | null
  revision: number
  merged_into_id: Id<'biz'> | null
  created_at: string
  updated_at: string
}

/**
 * The fields of BusinessRow as columns of a select list; `elsewhere` has expressions for those that do not come from `from`.
 */
export const businessColumnsSql = (from: string, elsewhere: Partial<Record<BusinessField, string>> = {}) =>
  businessFields.map(field => `${elsewhere[field] ?? `${from}.${field}`} as ${field}`).join(', ')

/** A Business with the requested fields, or all of them, and always its id. */
export function presentBusiness(
  row: BusinessRow,
  fields: readonly BusinessField[] = businessFields,
): Partial<BusinessRow> & { id: Id<'biz'> } {
  return { ...pick(row, fields), id: row.id }
}

export function presentRecord(
  row: BusinessRecordRow,
  fields: readonly RecordField[] = recordFields,
): Partial<BusinessRecordRow> & { id: Id<'biz'> } {
  return { ...pick(row, fields), id: row.id }
}

/** A Business as the subject of an event. */
export const businessSubject = ({ id, name }: { id: string; name: string }) => ({
  type: 'business',
  id,
  name,
})

function pick<Row extends object, Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> {
  const out = {} as Pick<Row, Key>
  for (const key of keys) out[key] = row[key]
  return out
}
