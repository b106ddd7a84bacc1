import { isCountry, isTerritory, usState } from '../../fact-formats.ts'
import type { RowReader } from './row.ts'

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
  const detail = isTerritory(state) ? 'territories are not supported' : undefined
  return row.refuse('state', 'unknown_state', detail)
}
