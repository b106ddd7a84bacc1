import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { Decimal } from '../../../../src/valuations/engine/decimal.ts'
import type { Resolved } from '../../../../src/valuations/engine/engine.ts'
import { compareValuations, type Comparison } from '../../../../src/valuations/engine/comparing/compare.ts'
import { valueDocument } from '../../../../src/valuations/engine/value-document.ts'
import { bakery, manyMethods, resolvedWith, yearOf } from '../documents.ts'

const completed = (document: ValuationDocument, resolved: Resolved = resolvedWith()) => ({
  document,
  resolved,
  calculation: valueDocument(document, resolved).calculation,
})
const compared = (before: ValuationDocument, after: ValuationDocument) =>
  compareValuations(completed(before), completed(after))

function assertAddsUp({ point, with_point, difference, changes }: Comparison) {
  const sum = changes.reduce((all, { moved }) => all.plus(moved?.amount ?? 0), new Decimal(0))
  assert.equal(sum.toFixed(2), difference?.amount)
  assert.equal(new Decimal(with_point?.amount ?? 0).minus(point.amount).toFixed(2), difference?.amount)
}

const multiple = (text: string): NonNullable<ValuationDocument['methods']> => [
  { method: 'sde_multiple', multiple: text, source: 'Broker survey', as_of: '2025-12-31' },
]

test('one change moves the point by all of the difference', () => {
  const found = compared(bakery({ methods: multiple('2.5') }), bakery({ methods: multiple('3') }))
  assert.deepEqual(found.changes, [
    {
      pointer: '/methods/0/multiple',
      before: '"2.5"',
      after: '"3"',
      moved: { amount: '100000.00', currency: 'USD' },
    },
  ])
  assert.deepEqual(
    [found.point.amount, found.with_point?.amount, found.difference?.amount],
    ['500000.00', '600000.00', '100000.00'],
  )
  assert.equal(found.note, null)
})

test('the same document has no changes, and no lines differ', () => {
  const found = compared(manyMethods(), manyMethods())
  assert.deepEqual([found.changes, found.lines, found.note], [[], [], null])
  assert.equal(found.difference?.amount, '0.00')
})

test('the moves of many changes add up to the difference', () => {
  const before = manyMethods()
  const after = manyMethods({
    interest: { percent: '35', kind: 'equity' },
    inputs: {
      ...before.inputs,
      periods: [yearOf(2023, 0.8), yearOf(2024, 0.9), yearOf(2025, 1.1)],
      bridge: { ...before.inputs.bridge, cash: '50000' },
      discounts: {
        dlom: { model: 'finnerty', volatility: '0.7', years: '1' },
        dloc: before.inputs.discounts?.dloc ?? assert.fail(),
      },
    },
    weights: { sde_multiple: '1' },
  })
  const found = compared(before, after)
  assertAddsUp(found)
  assertAddsUp(compared(after, before))
  assert.ok(found.changes.length > 8)
  assert.ok(found.changes.some(({ pointer, moved }) => pointer === '/inputs/bridge/cash' && moved))
})

test('weights count together, since one of them alone does not add up to 1', () => {
  const two: Partial<ValuationDocument> = {
    methods: [
      ...multiple('2.5'),
      { method: 'revenue_multiple', multiple: '0.5', source: 'Broker survey', as_of: '2025-12-31' },
    ],
  }
  const found = compared(
    bakery({ ...two, weights: { sde_multiple: '0.5', revenue_multiple: '0.5' } }),
    bakery({ ...two, weights: { sde_multiple: '0.9', revenue_multiple: '0.1' } }),
  )
  assert.deepEqual(
    found.changes.map(({ pointer, moved }) => [pointer, moved?.amount ?? null]),
    [
      ['/weights/revenue_multiple', null],
      ['/weights/sde_multiple', '40000.00'],
    ],
  )
  assert.match(found.note ?? '', /counts together with the next/)
})

test('periods are recognized by their key and methods by their name, in whatever order they stand', () => {
  const first = yearOf(2024, 0.9)
  const periods = [first, yearOf(2025)]
  const found = compared(
    bakery({ inputs: { periods } }),
    bakery({ inputs: { periods: [yearOf(2025, 2), first] } }),
  )
  assert.ok(found.changes.length > 0)
  assert.ok(found.changes.every(({ pointer }) => pointer.startsWith('/inputs/periods/0/')))
  assertAddsUp(found)
})

test('a method that is added or removed is one change', () => {
  const revenue = {
    method: 'revenue_multiple',
    multiple: '0.5',
    source: 'Survey',
    as_of: '2025-12-31',
  } as const
  const more = bakery({ methods: [...multiple('2.5'), revenue] })
  const [added] = compared(bakery(), more).changes
  assert.deepEqual([added?.pointer, added?.before, added?.moved?.amount], ['/methods/1', null, '-50000.00'])
  const [removed] = compared(more, bakery()).changes
  assert.deepEqual(
    [removed?.pointer, removed?.after, removed?.moved?.amount],
    ['/methods/1', null, '50000.00'],
  )
})

test('null, an absent field and another order of keys are no changes', () => {
  const before = { ...bakery(), business_id: null }
  assert.deepEqual(compared(before, bakery()).changes, [])
})

test('the lines that differ are named, with their difference', () => {
  const { lines } = compared(bakery({ methods: multiple('2.5') }), bakery({ methods: multiple('3') }))
  const point = lines.find(({ id }) => id === 'conclusion.point')
  assert.deepEqual([point?.before, point?.after, point?.difference], ['500000', '600000', '100000'])
  const gone = compared(manyMethods(), bakery()).lines.find(({ id }) => id === 'discounts.dloc')
  assert.deepEqual([gone?.before, gone?.after, gone?.difference], ['0.2', null, null])
})

test('another currency cannot be compared, and the note says why', () => {
  const found = compared(bakery(), bakery({ currency: 'EUR' }))
  assert.equal(found.difference, null)
  assert.deepEqual(found.with_point, { amount: '500000.00', currency: 'EUR' })
  assert.match(found.note ?? '', /different currencies/)
  assert.ok(found.changes.every(({ moved }) => moved === null))
})

test('another benchmark set is a change, also where no document names one', () => {
  const row = {
    naics: null,
    size_band: null,
    metric: 'sde',
    p25: null,
    p75: null,
    n: 9,
    source: 'Survey',
    as_of: '2025-12-31',
  }
  const withMedian = (p50: string, digit: string) =>
    resolvedWith({
      benchmark_set: {
        benchmark_set_id: '00000000-0000-4000-8000-000000000014',
        sha256: digit.repeat(64),
        rows: [{ ...row, p50 } as Resolved['benchmark_set']['rows'][number]],
      },
    })
  const document = bakery({ methods: [{ method: 'sde_multiple' }] })
  const found = compareValuations(
    completed(document, withMedian('2.5', 'a')),
    completed(document, withMedian('3', 'b')),
  )
  assert.deepEqual(
    found.changes.map(({ pointer, moved }) => [pointer, moved?.amount]),
    [['/inputs/benchmark_set_id', '100000.00']],
  )
})

test('what cannot be computed again has no moves, and the note says why', () => {
  const before = completed(bakery())
  const calculation = before.calculation.map((node, at, all) =>
    at === all.length - 1 ? { ...node, value: '1' } : node,
  )
  const found = compareValuations({ ...before, calculation }, completed(bakery({ methods: multiple('3') })))
  assert.equal(found.difference?.amount, '599999.00')
  assert.equal(found.changes[0]?.moved, null)
  assert.match(found.note ?? '', /cannot be computed again/)
})

test('hundreds of changes take at most 40 calculations, and still add up', () => {
  const assets = (scale: number): ValuationDocument =>
    bakery({
      level_of_value: 'control_marketable',
      methods: [
        {
          method: 'adjusted_net_assets',
          assets: Array.from({ length: 400 }, (_, at) => ({
            name: `Asset ${at}`,
            amount: String((at + 1) * scale),
          })),
        },
      ],
    })
  const found = compared(assets(10), assets(11))
  assert.equal(found.changes.length, 400)
  const groups = found.changes.filter(({ moved }) => moved).length
  assert.ok(groups > 10 && groups <= 40, String(groups))
  assertAddsUp(found)
})

test('what a portfolio holds now is a change, which names the holdings that differ', () => {
  const { methods: _methods, ...document } = bakery({
    subject: { type: 'portfolio', id: 'pfl_01JD0000000000000000000000' },
    engagement_type: 'calculation',
    inputs: {},
  })
  const holding = (key: string, amount: string) => ({
    key,
    subject_type: 'business' as const,
    name: key,
    ownership_percent: '50',
    discount: { rate: '0.1', reason: 'None can be sold.' },
    holds: {
      value: { amount, currency: 'USD' },
      valuation_id: `val_${'0'.repeat(32)}`,
      valuation_date: '2026-06-30',
    },
  })
  const found = compareValuations(
    completed(document, resolvedWith({ holdings: [holding('a', '100'), holding('b', '10')] })),
    completed(document, resolvedWith({ holdings: [holding('a', '200'), holding('b', '10')] })),
  )
  const held = (amount: string) =>
    JSON.stringify({ '/a': `50 percent of val_${'0'.repeat(32)} (${amount} USD) less 0.1` })
  assert.deepEqual(found.changes, [
    {
      pointer: '/subject/id',
      before: held('100'),
      after: held('200'),
      moved: { amount: '45.00', currency: 'USD' },
    },
  ])
})
