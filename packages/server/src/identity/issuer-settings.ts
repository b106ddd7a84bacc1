import type { JWK } from 'jose'
import { isSafeUrl } from './issuer-url.ts'

/** An issuer whose access tokens are trusted. */
export interface IssuerSettings {
  /** The exact `iss` of its tokens. With a trailing slash it is a different issuer. */
  issuer: string
  /** What `aud` must contain: the service's name at this issuer. */
  audience: string
  /** The namespace of user ids in place of the issuer's URL, for an issuer whose URL may change. */
  namespace?: string
  /** Its public keys if this process is the issuer. They are not fetched then. */
  keys?: readonly JWK[]
}

/**
 * The settings of issuers, all with the same audience.
 *
 * @throws Error with one sentence for the operator, if a URL is not valid for an issuer or the audience is missing
 */
export function issuerSettings(urls: string[], audience: string): IssuerSettings[] {
  if (urls.length > 0 && audience.trim() === '') {
    throw new Error(
      'OpenID Connect issuers are configured without the audience their tokens must be made for.',
    )
  }
  return urls.map(url => {
    const fault = faultOf(url)
    if (fault !== null) throw new Error(`The OpenID Connect issuer ${JSON.stringify(shown(url))} ${fault}.`)
    return { issuer: url, audience }
  })
}

function faultOf(text: string): string | null {
  const url = /\s/.test(text) ? null : URL.parse(text)
  if (url === null) return 'is not a URL'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (text.includes('?')) return 'must not have a query'
  if (text.includes('#')) return 'must not have a fragment'
  if (!isSafeUrl(url)) return 'must use https, as it is not on this machine'
  return null
}

/** The URL for an error message, without a password. */
function shown(text: string): string {
  return text.replace(/\/\/[^/?#]*@/, '//…@')
}
