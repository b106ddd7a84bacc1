import { usStates } from '@wbs/contract/businesses'
import type { RowReader } from './row.ts'

const states: ReadonlySet<string> = new Set(usStates)
const territories: ReadonlySet<string> = new Set(['AS', 'GU', 'MP', 'PR', 'UM', 'VI'])

/** The country, two capital letters. U.S. territories are not taken as countries either. */
export function readCountry(row: RowReader): string | null {
  const country = row.text('country_code', 2)
  if (country === null) return null
  if (!/^[A-Z]{2}$/.test(country) || territories.has(country))
    return row.refuse('country_code', 'unknown_country')
  return country
}

/** The state in capital letters: within the U.S. one of the 50 or DC, elsewhere whatever the country has. */
export function readState(row: RowReader, country: string): string | null {
  const state = row.text('state', 100)
  if (state === null || country !== 'US') return state
  const code = state.toUpperCase()
  if (states.has(code)) return code
  const detail = territories.has(code) ? 'territories are not supported' : undefined
  return row.refuse('state', 'unknown_state', detail)
}
