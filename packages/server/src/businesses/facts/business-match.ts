import { foldCity, foldName } from '../fold.ts'

/** What is compared of two Businesses. A name and a city are compared folded. */
export interface Likeness {
  name: string
  website_url: string | null
  state: string | null
  city: string | null
}

/**
 * What two Businesses have in common that lets them be the same: the web address, or the name and whatever both say of
 * state and city. Nothing, if either of these tells them apart.
 */
export function matchedOn(one: Likeness, other: Likeness): string[] {
  const key = websiteKey(one.website_url)
  const sameSite = key !== null && key === websiteKey(other.website_url)
  return [...(sameSite ? ['website_url'] : []), ...sameName(one, other)]
}

function sameName(one: Likeness, other: Likeness): string[] {
  if (foldName(one.name) !== foldName(other.name)) return []
  const place = [
    compared('state', one.state, other.state),
    compared('city', folded(one.city), folded(other.city)),
  ]
  return place.includes(false) ? [] : ['name', ...place.filter(part => typeof part === 'string')]
}

/** The part that both have in common; false where it tells them apart, null where not both say something. */
function compared(part: string, mine: string | null, theirs: string | null): string | false | null {
  if (mine === null || theirs === null) return null
  return mine === theirs && part
}

const folded = (city: string | null) => (city === null ? null : foldCity(city))

/** A web address as it is compared: scheme and host in small letters, without a slash at its end. As website_key in SQL. */
export function websiteKey(url: string | null): string | null {
  const parts = /^([^:]*:\/\/[^/?#]*)(.*)$/s.exec(url ?? '')
  if (!parts) return null
  const [, origin = '', rest = ''] = parts
  const small = origin.replace(/[A-Z]+/g, letters => letters.toLowerCase())
  return (small + rest).replace(/^([^?#]*)\/$/, '$1')
}
