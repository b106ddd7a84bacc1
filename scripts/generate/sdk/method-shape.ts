import type { Operation } from '@wbs/contract/operation'

/**
 * The key of the items in the answer of an operation that lists something, all of it or in pages; undefined for another
 * operation.
 */
export function itemsKeyOf({ name, output }: Operation): string | undefined {
  if (!/^(?:list|search)_/.test(name) && !('page' in output)) return undefined
  return Object.entries(output).find(([, schema]) => (schema as { type?: unknown }).type === 'array')?.[0]
}
