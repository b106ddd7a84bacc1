import type { CalculationTree } from '@wbs/contract/valuations/reading'
import type { StoredNode } from './node.ts'

/** A stored calculation as a tree. A node that several others use stands below each of them. */
export function calculationTree(nodes: readonly StoredNode[]): CalculationTree {
  const trees: CalculationTree[] = []
  for (const { inputs, spread: _spread, lookup: _lookup, ...node } of nodes)
    trees.push({ ...node, inputs: inputs.map(at => trees[at] as CalculationTree) })
  const root = trees.at(-1)
  if (!root) throw new Error('The calculation has no nodes.')
  return root
}
