import { isCountry, isTerritory, usState } from '../../fact-formats.ts'
import type { RowReader } from './row.ts'

/** The country, as two capital letters. U.S. territories are rejected. */
export function readCountry(row: RowReader): string | null {
  const country = row.text('country_code', 2)
  if (country === null) return null
  return isCountry(country) ? country : row.refuse('country_code', 'unknown_country')
}

/** The state: in the U.S. the code of one of the 50 states or DC, elsewhere any text. */
export function readState(row: RowReader, country: string): string | null {
  const state = row.text('state', 100)
  if (state === null || country !== 'US') return state
  const code = usState(state)
  if (code !== null) return code
  const detail = isTerritory(state) ? 'territories are not supported' : undefined
  return row.refuse('state', 'unknown_state', detail)
}
