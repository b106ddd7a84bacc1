import assert from 'node:assert/strict'
import type { FaultProxy } from './fault-proxy.ts'

/** Sees that a change waits for the database so often at most, and gives what it comes to. */
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
