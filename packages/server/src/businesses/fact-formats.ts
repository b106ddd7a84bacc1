import { usStates, webPattern } from '@wbs/contract/businesses/businesses'

// The formats of single facts. They are the same for a request of the API and for a file that is imported.

const webForm = new RegExp(webPattern)
const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const states: ReadonlySet<string> = new Set(usStates)
const territories: ReadonlySet<string> = new Set(['AS', 'GU', 'MP', 'PR', 'UM', 'VI'])

/** Whether two letters stand for a U.S. territory. */
export const isTerritory = (text: string): boolean => territories.has(text.toUpperCase())

/** Whether a code of two capital letters is a country here. U.S. territories are not. */
export const isCountry = (text: string): boolean => /^[A-Z]{2}$/.test(text) && !territories.has(text)

/** The code of one of the 50 states or DC in capital letters; null for anything else. */
export function usState(text: string): string | null {
  // Only ASCII letters, because the upper case of a dotless i is another letter.
  const code = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : ''
  return states.has(code) ? code : null
}

/** What is wrong with a web address, or null. */
export function websiteError(value: string): 'bad_url' | 'url_credentials' | null {
  const url = webForm.test(value) ? URL.parse(value) : null
  if (!url) return 'bad_url'
  return url.username !== '' || url.password !== '' ? 'url_credentials' : null
}

/** Whether a text is an existing day, as YYYY-MM-DD. */
export function isDay(value: string): boolean {
  const parts = dayForm.exec(value)
  if (!parts) return false
  const [year = 0, month = 0, day = 0] = parts.slice(1).map(Number)
  return isYear(year) && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month)
}

/**
 * Whether something can have happened in a year. Registers write 9999-12-31 for "never" and 0001-01-01 for "not known".
 */
export function isYear(year: number): boolean {
  return year >= 1000 && year <= 2199
}

function monthLength(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (monthLengths[month - 1] ?? 0)
}
