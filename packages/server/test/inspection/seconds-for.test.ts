import assert from 'node:assert/strict'
import { it } from 'node:test'
import { defaultLimits, secondsFor } from '../../src/inspection/limits.ts'

it('content gets time by its size: seconds for a small one', () => {
  const MiB = 2 ** 20
  assert.deepEqual(
    [0, MiB, 5 * MiB, 100 * MiB].map(bytes => secondsFor(bytes, defaultLimits)),
    [5, 10, 30, 60],
  )
})
