/**
 * The canonical form of a JSON value by RFC 8785: without white space, and the members of each object in the order of the UTF-16
 * code units of their names. Null if it has a number that JSON cannot write, such as one that was too large to be read.
 */
export function canonicalJson(value: unknown): string | null {
  const found = { infinite: false, index: false }
  const sorted = withSortedKeys(value, found)
  if (found.infinite) return null
  return found.index ? written(value) : JSON.stringify(sorted)
}

/**
 * A copy in which the members of each object stand in the order of the UTF-16 code units of their names, save that names such as
 * "10" come first: an object has them first, whatever the order in which they are added. `found`: what to note on the way.
 */
export function withSortedKeys(value: unknown, found?: { infinite: boolean; index: boolean }): unknown {
  if (found && typeof value === 'number' && !Number.isFinite(value)) found.infinite = true
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) items.push(withSortedKeys(item, found))
    return items
  }
  const object = value as Record<string, unknown>
  const sorted: Record<string, unknown> = {}
  // Without a comparison, sort() goes by UTF-16 code units.
  for (const name of Object.keys(object).sort()) {
    if (found && startsWithDigit(name)) found.index = true
    const member = withSortedKeys(object[name], found)
    if (name === '__proto__')
      Object.defineProperty(sorted, name, {
        value: member,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    else sorted[name] = member
  }
  return sorted
}

function startsWithDigit(name: string): boolean {
  const first = name.charCodeAt(0)
  return first >= 0x30 && first <= 0x39
}

/** The canonical form of a value without such numbers. It is slower than JSON.stringify, which an object with sorted keys needs. */
function written(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  const object = value as Record<string, unknown>
  const members = Object.keys(object)
    .sort()
    .map(name => `${JSON.stringify(name)}:${written(object[name])}`)
  return `{${members.join(',')}}`
}
