import { domainToASCII, domainToUnicode } from 'node:url'

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** An address as it travels, and as it is compared: in lower case, its domain in ASCII. Null where that is no name. */
export function emailKey(email: string): string | null {
  const at = email.lastIndexOf('@')
  const domain = domainToASCII(email.slice(at + 1))
  const labels = domain.split('.')
  const isName = labels.every(one => label.test(one)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return at > 0 && isName && domain.length <= 253 ? `${email.slice(0, at).toLowerCase()}@${domain}` : null
}

/** The ways in which an issuer may spell the address of a key, in lower case. */
export function spellingsOf(key: string): string[] {
  const at = key.lastIndexOf('@')
  return [key, `${key.slice(0, at)}@${domainToUnicode(key.slice(at + 1))}`]
}

/** Enough of an address for its owner to recognize it, and too little for anybody else: o…@e….com. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const top = domain.slice(domain.lastIndexOf('.'))
  return `${first(email)}…@${first(domain)}…${top}`
}

const first = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0x2026)
