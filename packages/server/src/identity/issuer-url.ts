import { isIPv4 } from 'node:net'

/** Whether keys may be fetched from a URL: https, or http on this machine, and no password in it. */
export function isSafeUrl(url: URL): boolean {
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}

/** Whether a URL's host is this machine: 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}

/** The URL of an issuer's metadata. OpenID Connect Discovery removes a trailing slash first. */
export function discoveryUrl(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
}

/**
 * Checks the `jwks_uri` of an issuer's metadata. Throws unless keys may be fetched from it. A remote issuer may not
 * direct us to a port of this machine.
 */
export function keySetUrl(issuer: string, uri: unknown): URL {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  // A URL of the issuer's own origin is as safe as the issuer, which was checked when it was configured.
  if (url !== null && url.origin === new URL(issuer).origin && url.username + url.password === '') return url
  if (url === null || !isSafeUrl(url)) throw new Error('its jwks_uri is not an https URL')
  if (url.protocol === 'http:' && !isLoopback(new URL(issuer))) {
    throw new Error('its jwks_uri points to this machine')
  }
  return url
}
