import type { StoredNode } from '../calculation/node.ts'
import { type Operation, operationOf } from './operations.ts'

/** A calculation in numbers. */
export interface Graph {
  nodes: readonly StoredNode[]
  /** The value of each node. */
  base: Float64Array
  /** For each node the nodes that it is an input of. */
  consumers: readonly (readonly number[])[]
}

export function graphOf(nodes: readonly StoredNode[]): Graph {
  const consumers: number[][] = nodes.map(() => [])
  for (const [at, { inputs }] of nodes.entries()) for (const input of inputs) consumers[input]?.push(at)
  return { nodes, base: Float64Array.from(nodes, ({ value }) => Number(value)), consumers }
}

/**
 * The steps that follow from some drivers. Each figure has a row in a table, with a column for each draw; a step is carried out
 * for all draws before the next step begins.
 */
export interface Program {
  /** The value of each row where no driver is moved. */
  base: Float64Array
  steps: readonly Step[]
  /** The row of the last node. */
  root: number
}

interface Step {
  /** The row that it computes. */
  row: number
  inputs: readonly number[]
  /** Null for a driver that follows from no other one. */
  operation: Operation | null
  /** The position of the driver that this figure is, or -1. */
  driver: number
}

/** Only what follows from the drivers is computed again. `drivers`: their positions among the nodes. */
export function programOf({ nodes, base, consumers }: Graph, drivers: readonly number[]): Program {
  const following = new Set<number>()
  const open = drivers.flatMap(at => consumers[at] ?? [])
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (following.has(at)) continue
    following.add(at)
    open.push(...(consumers[at] ?? []))
  }
  const rows = new Map<number, number>()
  const rowOf = (at: number): number => {
    const row = rows.get(at) ?? rows.size
    if (row === rows.size) rows.set(at, row)
    return row
  }
  const steps = [...new Set([...drivers, ...following])]
    .sort((first, other) => first - other)
    .map((at): Step => {
      const node = nodes[at] as StoredNode
      const driver = drivers.indexOf(at)
      return following.has(at)
        ? { row: rowOf(at), inputs: node.inputs.map(rowOf), operation: operationOf(node, base), driver }
        : { row: rowOf(at), inputs: [], operation: null, driver }
    })
  const root = rowOf(nodes.length - 1)
  return { base: Float64Array.from(rows.keys(), at => base[at] as number), steps, root }
}

/** A table for the rows of a program. */
export function tableOf({ base }: Program, columns: number): Float64Array {
  const table = new Float64Array(base.length * columns)
  for (let row = 0; row < base.length; row++)
    table.fill(base[row] as number, row * columns, (row + 1) * columns)
  return table
}

/**
 * Carries out the steps in the first columns of a table. `shifts`: for each driver how far it lies above what the calculation
 * gives for it, one number for each of these columns.
 */
export function carryOut(
  { base, steps }: Program,
  table: Float64Array,
  columns: number,
  shifts: readonly Float64Array[],
): void {
  const count = shifts[0]?.length ?? 0
  for (const { row, inputs, operation, driver } of steps) {
    const out = row * columns
    if (operation)
      operation(
        table,
        out,
        inputs.map(input => input * columns),
        count,
      )
    else table.fill(base[row] as number, out, out + count)
    const shift = shifts[driver]
    if (shift)
      for (let n = 0; n < count; n++) table[out + n] = (table[out + n] as number) + (shift[n] as number)
  }
}
