import { isLoopback } from '@wbs/server/identity/issuer-url'

/**
 * Whether secrets may be sent to a URL that `from` named, or that a browser may be sent there: https, or http on this
 * machine if `from` is on this machine too. What comes from elsewhere must not lead to a port of this machine.
 */
export function isTrustedUrl(text: unknown, from: string): boolean {
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url === null || url.username + url.password !== '') return false
  if (isLoopback(url)) return /^https?:$/.test(url.protocol) && isLoopback(new URL(from))
  return url.protocol === 'https:'
}

/** Whether two addresses are of the same service. The names of this machine are one. */
export function isSameOrigin(url: string, other: string): boolean {
  return originOf(url) === originOf(other)
}

function originOf(text: string): string {
  const url = new URL(text)
  return isLoopback(url) ? `${url.protocol}//127.0.0.1:${url.port}` : url.origin
}
