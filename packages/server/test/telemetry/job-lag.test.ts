import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { measureJobLag } from '../../src/jobs/job-lag.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { readScrape } from './scrape.ts'

const one = { kind: 'expire_upload', waiting: 3, oldest: 12 }

/** Metrics of jobs that are read by a function of the test. */
function measure(
  t: TestContext,
  read: () => Promise<object[]>,
  pace = { pause: 0, patience: 50, oldest: 60_000 },
) {
  const metrics = createMetrics({ warn: () => undefined })
  t.after(() => metrics.close())
  const reading = t.mock.fn(read)
  measureJobLag({ meter: metrics.meter, read: reading, pace })
  return {
    reads: () => reading.mock.callCount(),
    async waiting() {
      const scrape = readScrape(await metrics.text())
      return scrape.sum('svc_jobs_waiting', { kind: 'expire_upload' })
    },
  }
}

describe('the metrics of jobs that wait', () => {
  it('are read when somebody looks, and not more often than every few seconds', async t => {
    const { waiting, reads } = measure(t, async () => [one], { pause: 60_000, patience: 50, oldest: 60_000 })
    assert.equal(reads(), 0)
    assert.deepEqual([await waiting(), await waiting(), await waiting()], [3, 3, 3])
    assert.equal(reads(), 1)
  })

  it('do not make a scrape wait for a database that does not answer, which is asked once', async t => {
    let answer: (rows: object[]) => void = () => undefined
    const { waiting, reads } = measure(t, () => new Promise(resolve => (answer = resolve)))
    assert.equal(await waiting(), undefined)
    assert.equal(await waiting(), undefined)
    assert.equal(reads(), 1)
    answer([one])
    await Promise.resolve()
    answer = () => undefined
    assert.equal(await waiting(), 3)
  })

  it('stay as they were while the database fails, and are no number once that is old', async t => {
    let failing = false
    const read = async () => {
      if (failing) throw new Error('gone')
      return [one]
    }
    const { waiting } = measure(t, read, { pause: 0, patience: 5_000, oldest: 3_000 })
    assert.equal(await waiting(), 3)
    failing = true
    assert.equal(await waiting(), 3)
    await new Promise(resolve => setTimeout(resolve, 3_050))
    assert.equal(await waiting(), NaN)
  })
})
