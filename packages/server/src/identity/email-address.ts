import { domainToASCII, domainToUnicode } from 'node:url'

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The canonical form of an email address, in which it is sent and compared: in lower case, with the domain in ASCII.
 * Null if the domain is not a valid name.
 */
export function emailKey(email: string): string | null {
  const at = email.lastIndexOf('@')
  const domain = domainToASCII(email.slice(at + 1))
  const labels = domain.split('.')
  const isName = labels.every(part => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return at > 0 && isName && domain.length <= 253 ? `${email.slice(0, at).toLowerCase()}@${domain}` : null
}

/** The ways in which an issuer may spell an address, in lower case: the domain in ASCII or in Unicode. */
export function spellingsOf(key: string): string[] {
  const at = key.lastIndexOf('@')
  return [key, `${key.slice(0, at)}@${domainToUnicode(key.slice(at + 1))}`]
}

/** Masks an address so that its owner recognizes it and nobody else can guess it: o…@e….com. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const top = domain.slice(domain.lastIndexOf('.'))
  return `${first(email)}…@${first(domain)}…${top}`
}

const first = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0x2026)
