/** The keys and the types of a value, without the values. */
export function shapeOf(value: unknown): unknown {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object') return typeof value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map(key => [key, shapeOf(value[key as keyof typeof value])]))
}
