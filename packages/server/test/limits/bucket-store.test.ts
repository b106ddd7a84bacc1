import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { openPools, type Database } from '../../src/database/database.ts'
import { createBucketStore, type BucketStore } from '../../src/limits/buckets.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { modelBucket } from './model-store.ts'

describe('the buckets in the database', () => {
  let testDatabase: TestDatabase
  let admin: pg.Client
  let nodes: Database[]
  let store: BucketStore
  before(async () => {
    testDatabase = await createTestDatabase()
    admin = new pg.Client({ ...testDatabase.address, options: '-c search_path=svc' })
    await admin.connect()
    nodes = [1, 2].map(() => openPools(testDatabase.address, { info() {}, warn() {} }))
    store = createBucketStore((nodes[0] as Database).counters)
  })
  after(async () => {
    await admin.end()
    await Promise.all(nodes.map(node => node.close()))
    await testDatabase.drop()
  })

  /** Advances the time of all buckets, or of one. */
  const pass = (milliseconds: number, bucket?: string) =>
    admin.query(
      `update rate_limits set refilled_at = refilled_at - make_interval(secs => $1 / 1000.0) where bucket = $2 or $2 is null`,
      [milliseconds, bucket],
    )
  const limit = { quota: 100, window: 10 }
  const names = async () =>
    (await admin.query<{ bucket: string }>('select bucket from rate_limits order by 1')).rows.map(
      row => row.bucket,
    )

  it('give and refill as the model of them does that the properties are proven of', async () => {
    let bucket = 0
    const some = fc.oneof(
      fc.record({ wait: fc.nat(20_000) }),
      fc.record({ needed: fc.integer({ min: 1, max: 120 }), spare: fc.nat(20) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(some, { maxLength: 20 }), async steps => {
        const name = `model ${bucket++}`
        let passed = 0
        const began = performance.now()
        const model = modelBucket(() => passed + performance.now() - began)
        for (const step of steps) {
          if ('wait' in step) {
            passed += step.wait
            await pass(step.wait, name)
            continue
          }
          const expected = model.take(limit, step.needed, step.spare)
          const { granted, left } = await store.take(name, limit, step.needed, step.spare)
          // The clocks are read at slightly different times, in which a token may be refilled.
          assert.ok(Math.abs(granted + left - expected.granted - expected.left) < 1, name)
          assert.ok(Math.abs(granted - expected.granted) <= 1)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('never grant more than there is to many concurrent takers, on two nodes', async () => {
    const began = performance.now()
    const other = createBucketStore((nodes[1] as Database).counters)
    const takings = await Promise.all(
      Array.from({ length: 200 }, (_, i) => (i % 2 ? store : other).take('crowded', limit, 1, 2)),
    )
    const given = takings.reduce((sum, { granted }) => sum + granted, 0)
    const refilled = ((performance.now() - began) / 1000) * (limit.quota / limit.window)
    assert.ok(given >= limit.quota && given <= limit.quota + refilled, `${given}`)
  })

  it('grant no more than is left if many are needed, only whole tokens, and say how long a new one takes', async () => {
    assert.deepEqual(await store.take('short', { quota: 5, window: 3600 }, 7, 0), { granted: 5, left: 0 })
    const { granted, left } = await store.take('short', { quota: 5, window: 3600 }, 1, 0)
    assert.equal(granted, 0)
    assert.ok(left > 0 && left < 0.1)
  })

  it('keep what is left when the quota is made smaller, up to the new quota', async () => {
    await store.take('smaller', { quota: 1000, window: 60 }, 1, 0)
    const { granted, left } = await store.take('smaller', { quota: 10, window: 60 }, 1, 0)
    assert.equal(granted + left, 10)
  })

  it('refill nothing for a clock that was set back, and go on from there', async () => {
    await store.take('back', { quota: 10, window: 10 }, 10, 0)
    await pass(-600_000, 'back')
    assert.ok((await store.take('back', { quota: 10, window: 10 }, 1, 0)).left < 1)
    await pass(3_000, 'back')
    assert.equal((await store.take('back', { quota: 10, window: 10 }, 1, 0)).granted, 1)
  })

  it('are deleted once nobody took from them for an hour, and no sooner', async () => {
    await admin.query('truncate rate_limits')
    await store.take('old', limit, 1, 0)
    await pass(3_601_000)
    await store.take('young', limit, 1, 0)
    await pass(3_590_000, 'young')
    await store.forgetFull()
    assert.deepEqual(await names(), ['young'])
  })
})
