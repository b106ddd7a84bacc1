import type { RowReader } from './row.ts'

const webForm = /^https?:\/\/\S+$/i
const phoneForm = /^\+[1-9]\d{6,14}$/
const emailForm = /^[^\s@"<>]+@[^\s@"<>.]+(?:\.[^\s@"<>.]+)+$/

/** The web address, to the letter: search compares it so. */
export function readWebsite(row: RowReader): string | null {
  const value = row.text('website_url', 2048)
  if (value === null) return null
  const url = webForm.test(value) ? URL.parse(value) : null
  if (!url) return row.refuse('website_url', 'bad_url')
  if (url.username !== '' || url.password !== '') return row.refuse('website_url', 'url_credentials')
  return value
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
