/** How many items an array of an example keeps: those that are not texts or numbers are large. */
const most = { object: 2, scalar: 4 }

/** An answer with only the first items of its arrays, so that the document stays small. */
export function shortExample(value: unknown): unknown {
  if (Array.isArray(value)) {
    const count = typeof value[0] === 'object' ? most.object : most.scalar
    return value.slice(0, count).map(shortExample)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortExample(inner)]))
}
