import assert from 'node:assert/strict'
import type { FaultProxy } from './postgres/fault-proxy.ts'

/** Asserts that a change takes at most so many round trips to the database, and gives its answer. */
export async function withinRoundTrips<T>(
  proxy: FaultProxy,
  most: number,
  change: () => Promise<T>,
): Promise<T> {
  proxy.roundTrips()
  const answer = await change()
  const [trips = 0, ...others] = proxy.roundTrips()
  assert.deepEqual(others, [])
  assert.ok(trips > 0 && trips <= most, `${trips} round trips, of ${most} at most`)
  return answer
}
