import { createHash } from 'node:crypto'

/** The moment at which all recorded examples happened. */
export const recordedAt = Date.parse('2026-09-14T15:30:00.250Z')

const digestOf = (name: string) => createHash('sha256').update(name).digest()

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 26 characters as of an id with a prefix: the time, then what is random in a real one. */
export function fixedUlid(name: string): string {
  let time = recordedAt
  let text = ''
  for (let at = 0; at < 10; at++, time = Math.floor(time / 32)) text = crockford[time % 32] + text
  return text + Array.from(digestOf(name).subarray(0, 16), byte => crockford[byte % 32]).join('')
}

/** A UUID of the same version as another; one of version 7 begins with the time. */
export function fixedUuid(name: string, like: string): string {
  const version = like[14] ?? '4'
  const hex = digestOf(name).toString('hex')
  const time = version === '7' ? recordedAt.toString(16).padStart(12, '0') : hex.slice(52)
  const parts = [
    time.slice(0, 8),
    time.slice(8),
    version + hex.slice(1, 4),
    `8${hex.slice(5, 8)}`,
    hex.slice(8, 20),
  ]
  return parts.join('-')
}

export const fixedHex = (name: string, length: number): string =>
  digestOf(name).toString('hex').slice(0, length)

/** A secret of some length that nobody can mistake for one that works. */
export const fixedSecret = (length: number): string =>
  'ThisIsAnExampleAndNotASecret'.repeat(Math.ceil(length / 28)).slice(0, length)
