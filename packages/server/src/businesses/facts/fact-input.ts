import type { InputError } from '@wbs/contract/problems'
import type { SourceKind } from '@wbs/contract/businesses/input'
import type { Facts } from '../business-facts.ts'
import { foldName } from '../fold.ts'
import { isCountry, usState, websiteError } from '../fact-formats.ts'

export interface GivenSource {
  kind: SourceKind
  url?: string
  note?: string
}

/** What is wrong with single facts, beyond their schemas. */
export function factErrors(given: Partial<Facts>): InputError[] {
  const errors: (InputError | false | undefined)[] = [
    given.name !== undefined &&
      foldName(given.name) === '' &&
      error('/name', 'format', 'name must have at least one visible character.'),
    typeof given.website_url === 'string' && urlError('/website_url', given.website_url),
    given.country_code !== undefined &&
      !isCountry(given.country_code) &&
      error('/country_code', 'format', 'U.S. territories are not supported as countries.'),
    given.naics_code === null &&
      given.naics_vintage !== undefined &&
      error('/naics_vintage', 'conflict', 'naics_vintage requires a naics_code.'),
  ]
  return errors.filter(error => typeof error === 'object')
}

/** What is wrong with a source. A kind that can be looked up needs a URL. */
export function sourceErrors(source: GivenSource | undefined): InputError[] {
  if (!source) return []
  if (source.url !== undefined)
    return [urlError('/source/url', source.url)].filter(error => error !== undefined)
  return source.kind === 'government_record' || source.kind === 'website'
    ? [error('/source/url', 'required', `A source of the kind ${source.kind} requires url.`)]
    : []
}

/** How the facts after a change contradict each other, if a given fact is involved. */
export function conflictErrors(
  after: Facts & { founded_year: number | null },
  given: Partial<Facts>,
): InputError[] {
  const firstGiven = (...names: (keyof Facts)[]) => names.find(name => given[name] !== undefined)
  const { closed_on, status, country_code, state } = after
  const founded = after.founded_on ?? after.founded_year?.toString() ?? ''
  const placeField = firstGiven('state', 'country_code')
  const closingField = firstGiven('closed_on', 'status')
  const dateField = firstGiven('closed_on', 'founded_on')
  const errors = [
    placeField !== undefined &&
      country_code === 'US' &&
      state !== null &&
      usState(state) === null &&
      error(`/${placeField}`, placeField === 'state' ? 'format' : 'conflict', notAUsState),
    closingField !== undefined &&
      closed_on !== null &&
      status !== 'closed' &&
      error(`/${closingField}`, 'conflict', 'closed_on requires the status closed.'),
    dateField !== undefined &&
      closed_on !== null &&
      closed_on.slice(0, founded.length) < founded &&
      error(`/${dateField}`, 'conflict', 'closed_on must not be before the founding.'),
  ]
  return errors.filter(error => typeof error === 'object')
}

const notAUsState = 'In the U.S., state must be the two letters of one of the 50 states, or DC.'

function urlError(pointer: string, url: string): InputError | undefined {
  const found = websiteError(url)
  if (!found) return undefined
  const detail =
    found === 'bad_url'
      ? 'The value must be an http or https URL.'
      : 'The URL must not contain a user name or password.'
  return error(pointer, 'format', detail)
}

const error = (pointer: string, code: InputError['code'], detail: string): InputError => ({
  in: 'body',
  pointer,
  code,
  detail,
})
