import { emailPattern, phonePattern, webPattern } from '@wbs/contract/businesses/businesses'
import type { RowReader } from './row.ts'

const webForm = new RegExp(webPattern)
const phoneForm = new RegExp(phonePattern)
const emailForm = new RegExp(emailPattern)

/** What is wrong with a web address, or null. */
export function websiteFault(value: string): 'bad_url' | 'url_credentials' | null {
  const url = webForm.test(value) ? URL.parse(value) : null
  if (!url) return 'bad_url'
  return url.username !== '' || url.password !== '' ? 'url_credentials' : null
}

/** The web address, to the letter: search compares it so. */
export function readWebsite(row: RowReader): string | null {
  const value = row.text('website_url', 2048)
  if (value === null) return null
  const fault = websiteFault(value)
  return fault ? row.refuse('website_url', fault) : value
}

/** The telephone number, in E.164 form. */
export function readPhone(row: RowReader): string | null {
  const value = row.text('phone', 50)
  if (value !== null && !phoneForm.test(value)) return row.refuse('phone', 'bad_phone')
  return value
}

/** The e-mail address: one @, and a domain with a dot. More only a delivery could tell. */
export function readEmail(row: RowReader): string | null {
  const value = row.text('email', 254)
  if (value !== null && !emailForm.test(value)) return row.refuse('email', 'bad_email')
  return value
}
