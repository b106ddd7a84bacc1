import type { StoredNode } from '../calculation/node.ts'
import { Decimal } from '../decimal.ts'
import { methodLabels } from '../method-labels.ts'
import { carryOut, graphOf, programOf, tableOf } from './program.ts'

/** A figure whose other values are tried. */
export interface Driver {
  /** Its position among the nodes. */
  at: number
  id: string
  label: string
  base: Decimal
  low: Decimal
  high: Decimal
}

/**
 * Computes the last node anew, once for each number that every driver has in `shifts`: how far it lies above what the calculation
 * gives for it. NaN where the calculation means nothing: a divisor has another sign or is 0, such as a discount rate that is not
 * above growth.
 */
export type Compute = (shifts: readonly Float64Array[]) => Float64Array

/** A calculation that can be computed again, fast, with other values of its drivers. */
export interface Compiled {
  drivers: readonly Driver[]
  /** For some drivers, in whose order the shifts stand. `columns`: how many shifts of a driver there are at most. */
  computing(drivers: readonly Driver[], columns: number): Compute
}

export function compiled(nodes: readonly StoredNode[]): Compiled {
  const graph = graphOf(nodes)
  return {
    drivers: distinguished(nodes.flatMap(driverOf)),
    computing(drivers, columns) {
      const program = programOf(
        graph,
        drivers.map(({ at }) => at),
      )
      const table = tableOf(program, columns)
      const start = program.root * columns
      return shifts => {
        carryOut(program, table, columns, shifts)
        return table
          .subarray(start, start + (shifts[0]?.length ?? 0))
          .map(value => (Number.isFinite(value) ? value : NaN))
      }
    },
  }
}

/** Drivers of several methods may have one label, such as Growth: the name of the method tells them apart. */
function distinguished(drivers: readonly Driver[]): Driver[] {
  const counts = new Map<string, number>()
  for (const { label } of drivers) counts.set(label, (counts.get(label) ?? 0) + 1)
  const names: Readonly<Record<string, string | undefined>> = methodLabels
  return drivers.map(driver => {
    const method = names[driver.id.slice(0, driver.id.indexOf('.'))]
    const isShared = (counts.get(driver.label) ?? 0) > 1
    return isShared && method ? { ...driver, label: `${driver.label} (${method})` } : driver
  })
}

function driverOf({ id, label, value, spread }: StoredNode, at: number): Driver[] {
  if (!spread) return []
  const base = new Decimal(value)
  const low = Decimal.min(spread.low, spread.high, base)
  const high = Decimal.max(spread.low, spread.high, base)
  return low.equals(high) ? [] : [{ at, id, label, base, low, high }]
}
