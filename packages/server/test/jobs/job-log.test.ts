import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logThrottled, innermostFrames, reasonOf } from '../../src/jobs/job-log.ts'

describe('the log of a failure', () => {
  it('is its kind, and not its text', () => {
    assert.equal(
      reasonOf(Object.assign(new Error('zoe@example.com'), { code: 'EENVELOPE 550' })),
      'EENVELOPE 550',
    )
    assert.equal(reasonOf(new TypeError('zoe@example.com')), 'TypeError')
    assert.equal(reasonOf('zoe@example.com'), 'no error was given')
  })

  it('is where it happened, without what was said there', () => {
    const place = innermostFrames(new Error('zoe@example.com\nsecond line'))
    assert.equal(place.length, 3)
    assert.match(place[0] ?? '', /^at .*job-log\.test\.ts/)
    assert.deepEqual(innermostFrames('nothing'), [])
  })

  it('has each reason once a minute', () => {
    const lines: object[] = []
    const tell = logThrottled({ warn: details => void lines.push(details) }, 'trouble')
    for (const reason of ['ECONNREFUSED', '57P01', 'ECONNREFUSED', '57P01', 'ECONNREFUSED']) tell(reason)
    assert.deepEqual(lines, [{ reason: 'ECONNREFUSED' }, { reason: '57P01' }])
  })
})
