import { createHash } from 'node:crypto'

/**
 * The canonical form of a JSON value by RFC 8785: without white space, and the members of each object in the order of the UTF-16
 * code units of their names. Null if it has a number that JSON cannot write, such as one that was too large to be read.
 */
export function canonicalJson(value: unknown): string | null {
  try {
    return written(value)
  } catch (error) {
    if (error instanceof RangeError && error.message === tooLarge) return null
    throw error
  }
}

/** The SHA-256 of a text in UTF-8, in lower-case hexadecimal. */
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

const tooLarge = 'The value has a number that is not finite.'

// An object that is built anew would have names such as "10" first, whatever the order in which they are added.
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(tooLarge)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(',')}}`
}
