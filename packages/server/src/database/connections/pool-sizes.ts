import type { ConnectionClass } from '../statement.ts'

/** How many connections a node opens to the database at most, by default. */
export const usualConnections = 32
/** With fewer, a pool would have none. */
export const fewestConnections = 10
export const mostConnections = 500

/** How many connections each pool opens at most. */
export interface PoolSizes {
  readers: Record<ConnectionClass, number>
  writers: number
  counters: number
}

/** The probe of readiness and the jobs have one connection each, however many there are. */
const fixed = 2
/** How the usual connections are divided; other numbers are in the same proportion. */
const weights = {
  standing: 2,
  default: 4,
  long: 4,
  custom_plan: 4,
  fail_fast: 4,
  writers: 10,
  counters: 2,
}
type Pool = keyof typeof weights

/**
 * Divides the connections of a node, from `fewestConnections` on, among its pools and the jobs. Each pool gets its part
 * rounded down, at least one; the rest goes, one each, to the pools that lost most by rounding.
 */
export function poolSizes(connections: number): PoolSizes {
  const scale = (connections - fixed) / (usualConnections - fixed)
  const parts = Object.entries(weights).map(([pool, weight]) => {
    const part = weight * scale
    const size = Math.max(1, Math.floor(part))
    return { pool: pool as Pool, size, missing: part - size }
  })
  const left = connections - fixed - parts.reduce((sum, { size }) => sum + size, 0)
  const neediest = parts.toSorted((a, b) => b.missing - a.missing).slice(0, left)
  for (const part of neediest) part.size++
  const { writers, counters, ...readers } = Object.fromEntries(
    parts.map(({ pool, size }) => [pool, size]),
  ) as Record<Pool, number>
  return { readers: { ...readers, readiness: 1 }, writers, counters }
}
