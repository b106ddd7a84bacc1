import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstDayWithin } from '../../../src/lists/rules/within-last.ts'

test('months are subtracted first, at most to the end of the month, then days', () => {
  const cases: [string, string, string][] = [
    ['2026-03-31', 'P1M', '2026-02-28'],
    ['2024-03-31', 'P1M', '2024-02-29'],
    ['2024-02-29', 'P1Y', '2023-02-28'],
    ['2024-02-29', 'P4Y', '2020-02-29'],
    ['2104-02-29', 'P4Y', '2100-02-28'],
    ['2000-02-29', 'P400Y', '1600-02-29'],
    ['2026-03-31', 'P1M1D', '2026-02-27'],
    ['2026-01-31', 'P2M', '2025-11-30'],
    ['2026-01-15', 'P1M', '2025-12-15'],
    ['2026-05-31', 'P18M', '2024-11-30'],
    ['2026-07-31', 'P1Y6M', '2025-01-31'],
    ['2026-03-01', 'P1D', '2026-02-28'],
    ['2024-03-01', 'P1D', '2024-02-29'],
    ['2026-01-01', 'P2W', '2025-12-18'],
    ['2026-03-31', 'P1Y1M1W1D', '2025-02-20'],
    ['2026-03-31', 'P0D', '2026-03-31'],
    ['2026-03-31', 'P365250D', '1026-03-24'],
    ['2026-03-31', 'P1000Y', '1026-03-31'],
  ]
  for (const [today, duration, first] of cases)
    assert.equal(firstDayWithin(duration, today), first, `${today} ${duration}`)
})

test('days before the year 1 become its first day', () => {
  assert.equal(firstDayWithin('P999Y', '1000-12-31'), '0001-12-31')
  assert.equal(firstDayWithin('P99Y', '0100-06-15'), '0001-06-15')
  assert.equal(firstDayWithin('P1Y', '0001-06-15'), '0001-01-01')
  assert.equal(firstDayWithin('P1D', '0001-01-01'), '0001-01-01')
  assert.equal(firstDayWithin('P1000Y', '0500-01-01'), '0001-01-01')
})

test('a text that is no duration is an error of the service', () =>
  assert.throws(() => firstDayWithin('P1H', '2026-03-31'), /cannot be parsed/))
