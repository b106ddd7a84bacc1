import { usStates } from '@wbs/contract/businesses/businesses'
import type { RowReader } from './row.ts'

const states: ReadonlySet<string> = new Set(usStates)
const territories: ReadonlySet<string> = new Set(['AS', 'GU', 'MP', 'PR', 'UM', 'VI'])

/** Whether two capital letters can stand for a country here: a U.S. territory is none. */
export const isCountry = (text: string): boolean => /^[A-Z]{2}$/.test(text) && !territories.has(text)

/** One of the 50 states, or DC, in capital letters; null for anything else. */
export function usState(text: string): string | null {
  // Letters of ASCII alone: in capitals, a dotless i would be another letter.
  const code = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : ''
  return states.has(code) ? code : null
}

/** The country, two capital letters. U.S. territories are not taken as countries either. */
export function readCountry(row: RowReader): string | null {
  const country = row.text('country_code', 2)
  if (country === null) return null
  return isCountry(country) ? country : row.refuse('country_code', 'unknown_country')
}

/** The state in capital letters: within the U.S. one of the 50 or DC, elsewhere whatever the country has. */
export function readState(row: RowReader, country: string): string | null {
  const state = row.text('state', 100)
  if (state === null || country !== 'US') return state
  const code = usState(state)
  if (code !== null) return code
  const detail = territories.has(state.toUpperCase()) ? 'territories are not supported' : undefined
  return row.refuse('state', 'unknown_state', detail)
}
