import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'
import fc from 'fast-check'
import { benchmarkMultiple } from '../../../../src/valuations/engine/benchmarks/benchmark-multiple.ts'
import { decimal } from '../../../../src/valuations/engine/decimal.ts'
import { Unvaluable } from '../../../../src/valuations/engine/engine.ts'
import { bakery, contextOf, resolvedWith } from '../bakery.ts'

const row = (p50: string, change: Partial<BenchmarkRow> = {}): BenchmarkRow => ({
  naics: null,
  size_band: null,
  metric: 'sde',
  p25: null,
  p50,
  p75: null,
  n: null,
  source: 'Survey',
  as_of: '2025-12-31',
  ...change,
})
const bands = (...multiples: readonly [string, string][]) =>
  multiples.map(([size_band, p50]) => row(p50, { size_band }))

function found(
  rows: readonly BenchmarkRow[],
  { basis = '200000', naics = null as string | null, document = {} } = {},
) {
  const context = contextOf(bakery(document), resolvedWith({ rows, naics_code: naics }))
  return benchmarkMultiple(context, 'sde', decimal(basis))
}
const multiple = (...given: Parameters<typeof found>) => found(...given).row.p50

test('The row of the closest industry counts, and otherwise that of all industries', () => {
  const rows = [
    row('1'),
    row('2', { naics: '72' }),
    row('3', { naics: '7225' }),
    row('4', { naics: '722515' }),
    row('5', { naics: '31-33' }),
    row('6', { naics: '44-45' }),
    row('7', { naics: '48-49' }),
  ]
  for (const [naics, expected] of [
    ['722511', '3'],
    ['722515', '4'],
    ['721110', '2'],
    ['311811', '5'],
    ['339999', '5'],
    ['455110', '6'],
    ['491110', '7'],
    ['611110', '1'],
    [null, '1'],
  ] as const)
    assert.equal(multiple(rows, { naics }), expected, naics ?? 'none')
})

test('The band counts that contains the price which its own multiple gives', () => {
  const rows = bands(['0-500000', '2'], ['500000-1000000', '2.8'], ['1000000-', '3.5'])
  assert.equal(multiple(rows, { basis: '100000' }), '2')
  assert.equal(multiple(rows, { basis: '300000' }), '2.8')
  assert.equal(multiple(rows, { basis: '400000' }), '3.5')
})

test('Of several bands that fit, the lowest counts, in whatever order they are', () => {
  // 200000 × 2 = 400000 lies in the lower band, 200000 × 2.8 = 560000 in the upper one.
  const rows = bands(['0-500000', '2'], ['500000-1000000', '2.8'])
  assert.equal(multiple(rows), '2')
  assert.equal(multiple(rows.toReversed()), '2')
})

test('The end of a band is not in it', () => {
  const rows = bands(['0-500000', '2.5'], ['500000-1000000', '2.5'])
  assert.match(found(rows).row.size_band ?? '', /^500000/)
})

test('Of bands that do not fit, the nearest counts', () => {
  // 200000 × 3 is above the lower band by a fifth, 200000 × 1 below the upper one by more than half.
  assert.equal(multiple(bands(['0-500000', '3'], ['500000-1000000', '1'])), '3')
  assert.equal(multiple(bands(['0-500000', '2']), { basis: '9000000' }), '2')
})

test('The newest figure counts that was known on the valuation date', () => {
  const rows = [
    row('1', { as_of: '2019-12-31' }),
    row('2', { as_of: '2024-12-31' }),
    row('3', { as_of: '2026-07-01' }),
  ]
  assert.equal(multiple(rows), '2')
  assert.equal(multiple(rows, { document: { valuation_date: '2026-07-01' } }), '3')
  assert.equal(multiple(rows, { document: { valuation_date: '2019-12-31' } }), '1')
})

test('A figure that was known later only is not used, and the answer says so', () => {
  const document = { valuation_date: '2018-01-01' }
  assert.throws(() => found([row('2')], { document }), {
    name: 'Error',
    message: /known on 2018-01-01/,
  })
  assert.throws(() => found([row('2')], { document }), Unvaluable)
})

test('Without a row of the metric or of the industry there is no multiple', () => {
  assert.throws(() => found([row('2', { metric: 'revenue' })]), /no multiple of SDE/)
  assert.throws(() => found([row('2', { naics: '72' })]), /this industry/)
})

test('An old figure is an assumption of the valuation', () => {
  const { assumptions } = found([row('2', { as_of: '2019-12-31' })])
  assert.deepEqual(assumptions, [
    'The multiple of SDE is that of deals in all industries of all sizes.',
    'The multiple of SDE is dated 2019-12-31; the benchmark set has no newer one that fits.',
  ])
})

test('Bands are in US dollars, so an amount in another currency is converted by the rate of the document', () => {
  const rows = bands(['0-500000', '2'], ['500000-1000000', '3'])
  const rate = { rate: '0.5', as_of: '2026-06-30', source: 'Bank' }
  const in_euros = (from: string, to: string) => ({
    document: { currency: 'EUR', inputs: { fx: [{ ...rate, from, to }] } },
    basis: '100000',
  })
  assert.equal(multiple(rows, in_euros('EUR', 'USD')), '2')
  assert.equal(multiple(rows, { ...in_euros('USD', 'EUR'), basis: '130000' }), '3')
  assert.throws(() => found(rows, { document: { currency: 'EUR' } }), /exchange rate from EUR to USD/)
  assert.equal(multiple([...rows, row('9')], { document: { currency: 'EUR' } }), '9')
})

test('The order of the rows does not matter', () => {
  const anyRow = fc.record({
    naics: fc.constantFrom(null, '72', '722', '31-33'),
    size_band: fc.constantFrom(null, '0-500000', '0-1000000', '500000-1000000', '1000000-'),
    p50: fc.constantFrom('1', '2.5', '4'),
    as_of: fc.constantFrom('2024-12-31', '2025-12-31'),
    n: fc.constantFrom(null, 10, 20),
    source: fc.constantFrom('A', 'B'),
  })
  fc.assert(
    fc.property(
      fc.array(anyRow, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 2_000_000 }),
      (changes, basis) => {
        const rows = [row('3'), ...changes.map(change => row(change.p50, change))]
        const options = { basis: String(basis), naics: '722511' }
        assert.deepEqual(found(rows.toReversed(), options), found(rows, options))
      },
    ),
  )
})
