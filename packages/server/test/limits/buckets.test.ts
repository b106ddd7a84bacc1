import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type BucketStore, createBuckets } from '../../src/limits/buckets.ts'

import { modelBucket } from './model-store.ts'

/** A node with a store that answers at once, or fails while a test says so. */
function node() {
  const world = { now: 0, asked: 0, cleared: 0, down: false, warned: [] as object[] }
  const bucket = modelBucket(() => world.now)
  const store: BucketStore = {
    async take(_name, limit, needed, spare) {
      world.asked++
      if (world.down) throw new Error('The store is down.')
      return bucket.take(limit, needed, spare)
    },
    async forgetFull() {
      world.cleared++
    },
  }
  const log = { warn: (details: object) => void world.warned.push(details) }
  return { world, buckets: createBuckets({ store, log, clock: () => world.now }) }
}

const large = { quota: 1000, window: 60 }
const small = { quota: 3, window: 3600 }

describe('a node', () => {
  it('admits the whole quota at one moment, and no more', async () => {
    for (const limit of [large, small, { quota: 1, window: 60 }]) {
      const { buckets } = node()
      let letIn = 0
      while ((await buckets.take('a', limit)).allowed) letIn++
      assert.equal(letIn, limit.quota)
    }
  })

  it('asks the store once for many requests of a large quota, and for each of a small one', async () => {
    const { world, buckets } = node()
    for (let i = 0; i < 21; i++) await buckets.take('a', large)
    assert.equal(world.asked, 1)
    for (let i = 0; i < 3; i++) await buckets.take('b', small)
    assert.equal(world.asked, 4)
  })

  it('asks the store once for all who ask at the same time', async () => {
    const { world, buckets } = node()
    const verdicts = await Promise.all(Array.from({ length: 5 }, async () => buckets.take('a', small)))
    assert.deepEqual(
      verdicts.map(verdict => verdict.allowed),
      [true, true, true, false, false],
    )
    // The first one, then all who came while the store was asked for it.
    assert.equal(world.asked, 2)
  })

  it('knows until when a bucket is empty, and does not ask the store before', async () => {
    const { world, buckets } = node()
    for (let i = 0; i < 3; i++) await buckets.take('a', small)
    assert.equal(world.asked, 3)
    assert.equal(Math.ceil(buckets.emptyFor('a') / 1000), 1201)
    const refused = await buckets.take('a', small)
    assert.equal(refused.allowed, false)
    assert.equal(world.asked, 3)
    world.now += refused.wait
    assert.equal((await buckets.take('a', small)).allowed, true)
    assert.equal((await buckets.take('a', small)).allowed, false)
    assert.equal(world.asked, 4)
  })

  it('says what is left, in the bucket and in its own hands', async () => {
    const { world, buckets } = node()
    assert.equal((await buckets.take('a', large)).remaining, 999)
    assert.equal((await buckets.take('a', large)).remaining, 998)
    world.now += 60
    assert.equal((await buckets.take('a', large)).remaining, 998)
  })

  it('keeps a steady client within its quota at what it has, for as long as that may go on', async () => {
    const { world, buckets } = node()
    for (let i = 0; i < 5000; i++) {
      world.now += 66 // 15 a second, where 16.7 come back
      const { allowed, remaining } = await buckets.take('a', large)
      assert.ok(allowed && remaining !== null && remaining > 990, `${i}: ${remaining}`)
    }
  })

  it('takes a token back that was not used', async () => {
    const { buckets } = node()
    for (let i = 0; i < 10; i++) {
      assert.equal((await buckets.take('a', small)).allowed, true)
      buckets.giveBack('a')
    }
  })

  it('admits everybody while the store fails, asks it now and then, and logs that once', async () => {
    const { world, buckets } = node()
    world.down = true
    for (let i = 0; i < 50; i++)
      assert.deepEqual(await buckets.take('a', small), { allowed: true, remaining: null, wait: 0 })
    assert.equal(world.asked, 1)
    world.now += 2_000
    await Promise.all(Array.from({ length: 50 }, async (_, i) => buckets.take(`${i}`, small)))
    assert.equal(world.asked, 2)
    assert.deepEqual(world.warned, [{ reason: 'The store is down.' }])
    world.now += 60_000
    await buckets.take('a', small)
    assert.equal(world.warned.length, 2)
    world.down = false
    world.now += 2_000
    for (const allowed of [true, true, true, false])
      assert.equal((await buckets.take('a', small)).allowed, allowed)
  })

  it('has the store forget full buckets once in a while', async () => {
    const { world, buckets } = node()
    for (let i = 0; i < 600; i++) {
      world.now += 1_000
      await buckets.take('a', large)
    }
    assert.equal(world.cleared, 4)
  })
})
