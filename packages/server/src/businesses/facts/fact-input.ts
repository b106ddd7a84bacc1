import type { InputError } from '@wbs/contract/problems'
import type { SourceKind } from '@wbs/contract/businesses/input'
import type { Facts } from '../business-facts.ts'
import { foldName } from '../fold.ts'
import { isCountry, usState, websiteFault } from '../fact-formats.ts'

export interface GivenSource {
  kind: SourceKind
  url?: string
  note?: string
}

/** What is wrong with facts by themselves, beyond what their schemas say. */
export function faultsOf(given: Partial<Facts>): InputError[] {
  const faults: (InputError | false | undefined)[] = [
    given.name !== undefined &&
      foldName(given.name) === '' &&
      fault('/name', 'format', 'name must have at least one visible character.'),
    typeof given.website_url === 'string' && urlFault('/website_url', given.website_url),
    given.country_code !== undefined &&
      !isCountry(given.country_code) &&
      fault('/country_code', 'format', 'U.S. territories are not supported as countries.'),
    given.naics_code === null &&
      given.naics_vintage !== undefined &&
      fault('/naics_vintage', 'conflict', 'naics_vintage requires a naics_code.'),
  ]
  return faults.filter(one => typeof one === 'object')
}

/** What is wrong with a source: kinds that can be looked up say where. */
export function sourceFaults(source: GivenSource | undefined): InputError[] {
  if (!source) return []
  if (source.url !== undefined) return [urlFault('/source/url', source.url)].filter(one => one !== undefined)
  return source.kind === 'government_record' || source.kind === 'website'
    ? [fault('/source/url', 'required', `A source of the kind ${source.kind} requires url.`)]
    : []
}

/** How the facts as they would be contradict each other, where what was given has a part in it. */
export function contradictions(
  after: Facts & { founded_year: number | null },
  given: Partial<Facts>,
): InputError[] {
  const first = (...names: (keyof Facts)[]) => names.find(name => given[name] !== undefined)
  const { closed_on, status, country_code, state } = after
  const founded = after.founded_on ?? after.founded_year?.toString() ?? ''
  const placed = first('state', 'country_code')
  const closing = first('closed_on', 'status')
  const dated = first('closed_on', 'founded_on')
  const faults = [
    placed !== undefined &&
      country_code === 'US' &&
      state !== null &&
      usState(state) === null &&
      fault(`/${placed}`, placed === 'state' ? 'format' : 'conflict', notOurState),
    closing !== undefined &&
      closed_on !== null &&
      status !== 'closed' &&
      fault(`/${closing}`, 'conflict', 'closed_on requires the status closed.'),
    dated !== undefined &&
      closed_on !== null &&
      closed_on.slice(0, founded.length) < founded &&
      fault(`/${dated}`, 'conflict', 'closed_on must not be before the founding.'),
  ]
  return faults.filter(one => typeof one === 'object')
}

const notOurState = 'In the U.S., state must be the two letters of one of the 50 states, or DC.'

function urlFault(pointer: string, url: string): InputError | undefined {
  const found = websiteFault(url)
  if (!found) return undefined
  const detail =
    found === 'bad_url'
      ? 'The value must be an http or https URL.'
      : 'The URL must not contain a user name or password.'
  return fault(pointer, 'format', detail)
}

const fault = (pointer: string, code: InputError['code'], detail: string): InputError => ({
  in: 'body',
  pointer,
  code,
  detail,
})
