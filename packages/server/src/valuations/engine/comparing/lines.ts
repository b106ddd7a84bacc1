import type { StoredNode } from '../calculation/node.ts'
import { Decimal, exactText } from '../decimal.ts'

/** A figure that differs between two calculations. Null where a calculation does not have it. */
export interface Line {
  id: string
  label: string
  unit: string
  before: string | null
  after: string | null
  difference: string | null
}

/** The figures that differ, in the order of the later calculation; then those that only the earlier one has. */
export function differingLines(before: readonly StoredNode[], after: readonly StoredNode[]): Line[] {
  const earlier = new Map(before.map(node => [node.id, node]))
  const later = new Set(after.map(({ id }) => id))
  const changed = after.flatMap(node => {
    const old = earlier.get(node.id)
    return old && old.value === node.value && old.unit === node.unit ? [] : [lineOf(old, node)]
  })
  const gone = before.filter(({ id }) => !later.has(id)).map(node => lineOf(node, undefined))
  return [...changed, ...gone]
}

function lineOf(before: StoredNode | undefined, after: StoredNode | undefined): Line {
  const { id, label, unit } = (after ?? before) as StoredNode
  const isComparable = before && after && before.unit === after.unit
  return {
    id,
    label,
    unit,
    before: before?.value ?? null,
    after: after?.value ?? null,
    difference: isComparable ? exactText(new Decimal(after.value).minus(before.value)) : null,
  }
}
