import {
  businessFields,
  recordFields,
  type BusinessField,
  type RecordField,
} from '@wbs/contract/businesses/businesses'
import type { Id } from '@wbs/contract/ids'

/** The search projection of a Business, as the tables hold it and as answers show it. */
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

/** The columns of the search projection, for a select list; some of them, perhaps, from elsewhere. */
export const businessColumns = (from: string, elsewhere: Partial<Record<BusinessField, string>> = {}) =>
  businessFields.map(field => `${elsewhere[field] ?? `${from}.${field}`} as ${field}`).join(', ')

/** A Business with the fields that were asked for, or all of them; its id always. */
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

/** A Business as what an event is about. */
export const subjectOf = ({ id, name }: { id: string; name: string }) => ({ type: 'business', id, name })

function pick<Row extends object, Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> {
  const out = {} as Pick<Row, Key>
  for (const key of keys) out[key] = row[key]
  return out
}
