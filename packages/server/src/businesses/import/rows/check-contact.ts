import { emailPattern, phonePattern } from '@wbs/contract/businesses/businesses'
import { websiteError } from '../../fact-formats.ts'
import type { RowReader } from './row.ts'

const phoneForm = new RegExp(phonePattern)
const emailForm = new RegExp(emailPattern)

/** The web address, unchanged, because search compares it exactly. */
export function readWebsite(row: RowReader): string | null {
  const value = row.text('website_url', 2048)
  if (value === null) return null
  const error = websiteError(value)
  return error ? row.refuse('website_url', error) : value
}

/** The telephone number, in E.164 form. */
export function readPhone(row: RowReader): string | null {
  const value = row.text('phone', 50)
  if (value !== null && !phoneForm.test(value)) return row.refuse('phone', 'bad_phone')
  return value
}

/** The email address: one @, and a domain with a dot. Whether it exists only a delivery can show. */
export function readEmail(row: RowReader): string | null {
  const value = row.text('email', 254)
  if (value !== null && !emailForm.test(value)) return row.refuse('email', 'bad_email')
  return value
}
