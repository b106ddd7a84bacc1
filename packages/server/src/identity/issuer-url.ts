import { isIPv4 } from 'node:net'

/** Whether a URL may be asked for keys: https, or http to this machine alone, and never with a password in it. */
export function isSafeUrl(url: URL): boolean {
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))
}

/** Whether a URL's host is this machine: 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(url: URL): boolean {
  const host = url.hostname
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'))
}

/** Where an issuer publishes its metadata. OpenID Connect Discovery takes a final slash off first. */
export function discoveryUrl(issuer: string): URL {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
}

/**
 * Reads the `jwks_uri` of an issuer's metadata; throws unless it is an address keys may come from. An issuer
 * elsewhere may not send us to a port of this machine.
 */
export function keySetUrl(issuer: string, uri: unknown): URL {
  const url = typeof uri === 'string' ? URL.parse(uri) : null
  // What the issuer itself serves is as safe as the issuer, which was judged when it was configured.
  if (url !== null && url.origin === new URL(issuer).origin && url.username + url.password === '') return url
  if (url === null || !isSafeUrl(url)) throw new Error('its jwks_uri is not an https URL')
  if (url.protocol === 'http:' && !isLoopback(new URL(issuer))) {
    throw new Error('its jwks_uri points to this machine')
  }
  return url
}
