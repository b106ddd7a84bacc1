import type { StoredNode } from '../calculation/node.ts'
import { Decimal } from '../decimal.ts'
import { methodLabels } from '../method-labels.ts'
import { carryOut, graphOf, programOf } from './program.ts'

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
 * Computes the last node anew, where each driver lies by its shift above what the calculation gives for it. NaN if the calculation
 * means nothing there: a divisor has another sign or is 0, such as a discount rate that is not above growth.
 */
export type Compute = (shifts: Float64Array) => number

/** A calculation that can be computed again, fast, with other values of its drivers. */
export interface Compiled {
  drivers: readonly Driver[]
  /** For some drivers: the shifts stand in their order. */
  computing(drivers: readonly Driver[]): Compute
}

export function compiled(nodes: readonly StoredNode[]): Compiled {
  const graph = graphOf(nodes)
  const values = graph.base.slice()
  const shifted = new Float64Array(nodes.length)
  return {
    drivers: distinguished(nodes.flatMap(driverOf)),
    computing(drivers) {
      const positions = Int32Array.from(drivers, ({ at }) => at)
      const program = programOf(graph, [...positions])
      return shifts => {
        for (let n = 0; n < positions.length; n++) shifted[positions[n] as number] = shifts[n] as number
        carryOut(program, values, shifted)
        const root = values[nodes.length - 1] as number
        for (let n = 0; n < positions.length; n++) shifted[positions[n] as number] = 0
        for (let n = 0; n < program.at.length; n++) {
          const at = program.at[n] as number
          values[at] = graph.base[at] as number
        }
        return Number.isFinite(root) ? root : NaN
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
