import { businessStatuses } from '@wbs/contract/businesses/businesses'
import { foldName } from '../../fold.ts'
import { checkClosing, founding, readDay } from './check-dates.ts'
import { readCountry, readState } from './check-place.ts'
import { readEmail, readPhone, readWebsite } from './check-contact.ts'
import type { RowReader } from './row.ts'

/** The facts of a Business in one record. Blank cells are null. Dates are YYYY-MM-DD. */
export interface Facts {
  source: string
  source_id: string
  name: string
  legal_name: string | null
  status: string | null
  founded_on: string | null
  founded_year: string | null
  closed_on: string | null
  description: string | null
  public_email: string | null
  public_phone: string | null
  website_url: string | null
  country_code: string | null
  state: string | null
  city: string | null
  postal_code: string | null
  line1: string | null
  naics_code: string | null
  naics_vintage: string | null
}

/** What a row may refer to: the names of sources, and NAICS codes as `<edition>:<code>`. */
export interface Known {
  sources: ReadonlySet<string>
  naics: ReadonlySet<string>
}

const statuses: ReadonlySet<string> = new Set(businessStatuses)

/** Reads the facts of the current row. They are valid only if the reader then has no reasons against the row. */
export function checkRow(row: RowReader, known: Known): Facts {
  const status = readStatus(row)
  const founded = founding(row)
  const closed_on = readDay(row, 'closed_on')
  checkClosing(row, status, founded, closed_on)
  const country_code = readCountry(row)
  const { naics_code, naics_vintage } = readNaics(row, known.naics)
  return {
    source: readSource(row, known.sources),
    source_id: row.requiredText('source_id', 200),
    name: readName(row),
    legal_name: row.text('legal_name', 500),
    status,
    founded_on: founded.day,
    founded_year: founded.year,
    closed_on,
    description: row.text('description', 10_000, 'lines'),
    public_email: readEmail(row),
    public_phone: readPhone(row),
    website_url: readWebsite(row),
    country_code,
    state: readState(row, country_code ?? 'US'),
    city: row.text('city', 200),
    postal_code: row.text('postal_code', 20),
    line1: row.text('address1', 500),
    naics_code,
    naics_vintage,
  }
}

function readSource(row: RowReader, sources: ReadonlySet<string>): string {
  const source = row.requiredText('source', 64)
  if (source !== '' && !sources.has(source)) row.refuse('source', 'unknown_source')
  return source
}

function readName(row: RowReader): string {
  const name = row.requiredText('name', 500)
  // A name of only soft hyphens and joiners is empty, and search could not find it.
  if (name !== '' && foldName(name) === '') row.refuse('name', 'required')
  return name
}

function readStatus(row: RowReader): string | null {
  const status = row.text('status', 20)
  if (status !== null && !statuses.has(status)) return row.refuse('status', 'unknown_status')
  return status
}

function readNaics(row: RowReader, codes: ReadonlySet<string>): Pick<Facts, 'naics_code' | 'naics_vintage'> {
  const naics_code = row.text('naics_code', 6)
  const naics_vintage = row.text('naics_vintage', 4)
  if ((naics_code === null) !== (naics_vintage === null)) row.refuse('naics_vintage', 'naics_vintage')
  else if (naics_code !== null && !codes.has(`${naics_vintage}:${naics_code}`))
    row.refuse('naics_code', 'unknown_naics_code', `edition ${naics_vintage} has no code ${naics_code}`)
  return { naics_code, naics_vintage }
}
