import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { observationErrors } from '../../../src/businesses/observations/observation.ts'

describe('the day of an observation', () => {
  const errorsAt = (now: string, observed_on: string) =>
    observationErrors({ value_type: 'text', value: 'Open' }, observed_on, new Date(now)).map(
      ({ pointer, code }) => `${pointer} ${code}`,
    )

  it('may be the day that it is anywhere on earth, at UTC+14 the earliest', () => {
    assert.deepEqual(errorsAt('2026-01-01T10:00:00Z', '2026-01-02'), [])
    assert.deepEqual(errorsAt('2026-01-01T09:59:59.999Z', '2026-01-02'), ['/observed_on out_of_range'])
    assert.deepEqual(errorsAt('2026-01-01T09:59:59.999Z', '2026-01-01'), [])
  })
})
