import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  fewestConnections,
  mostConnections,
  poolSizes,
  usualConnections,
} from '../../../src/database/connections/pool-sizes.ts'

const jobs = 1

describe('the connections of a node', () => {
  it('are divided as they always were, unless another number is set', () => {
    assert.deepEqual(poolSizes(usualConnections), {
      readers: { standing: 2, default: 4, long: 4, custom_plan: 4, fail_fast: 4, readiness: 1 },
      writers: 10,
      counters: 2,
    })
  })

  it('are all given out, to every pool at least one, for every number that may be set', () => {
    for (let connections = fewestConnections; connections <= mostConnections; connections++) {
      const { readers, writers, counters } = poolSizes(connections)
      const sizes = [...Object.values(readers), writers, counters]
      assert.ok(Math.min(...sizes) >= 1, `${connections}`)
      const sum = sizes.reduce((total, size) => total + size, jobs)
      assert.equal(sum, connections)
    }
  })

  it('are in the same proportion when there are more', () => {
    const { readers, writers, counters } = poolSizes(2 + 10 * 30)
    assert.deepEqual([readers.default, readers.readiness, writers, counters], [40, 1, 100, 20])
  })
})
