import { foldCity, foldName } from '../fold.ts'

/** The fields by which two Businesses are compared. Name and city are compared in their folded form. */
export interface MatchFields {
  name: string
  website_url: string | null
  state: string | null
  city: string | null
}

/**
 * The fields that make two Businesses candidates for the same one: the web address; or the name, with state and city if both
 * have them. Empty if a state or city differs.
 */
export function matchedOn(matchFields: MatchFields, other: MatchFields): string[] {
  const key = websiteKey(matchFields.website_url)
  const sameSite = key !== null && key === websiteKey(other.website_url)
  return [...(sameSite ? ['website_url'] : []), ...sameName(matchFields, other)]
}

function sameName(matchFields: MatchFields, other: MatchFields): string[] {
  if (foldName(matchFields.name) !== foldName(other.name)) return []
  const place = [
    compare('state', matchFields.state, other.state),
    compare('city', folded(matchFields.city), folded(other.city)),
  ]
  return place.includes(false) ? [] : ['name', ...place.filter(part => typeof part === 'string')]
}

/** The field if both values are equal, false if they differ, null if one of them is missing. */
function compare(part: string, mine: string | null, theirs: string | null): string | false | null {
  if (mine === null || theirs === null) return null
  return mine === theirs && part
}

const folded = (city: string | null) => (city === null ? null : foldCity(city))

/**
 * A web address in the form in which it is compared: scheme and host in lower case, without a trailing slash. The same as
 * website_key in SQL.
 */
export function websiteKey(url: string | null): string | null {
  const parts = /^([^:]*:\/\/[^/?#]*)(.*)$/s.exec(url ?? '')
  if (!parts) return null
  const [, origin = '', rest = ''] = parts
  const small = origin.replace(/[A-Z]+/g, letters => letters.toLowerCase())
  return (small + rest).replace(/^([^?#]*)\/$/, '$1')
}
