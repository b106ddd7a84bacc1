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

const tooLarge = 'The value has a number that is not finite.'

// An object that is built anew would have names such as "10" first, whatever the order in which they are added.
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(tooLarge)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const object = value as Record<string, unknown>
  // Without a comparison, sort() goes by UTF-16 code units.
  const members = Object.keys(object)
    .sort()
    .map(name => `${JSON.stringify(name)}:${written(object[name])}`)
  return `{${members.join(',')}}`
}
