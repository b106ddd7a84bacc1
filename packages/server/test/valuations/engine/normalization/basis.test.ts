import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationMethod } from '@wbs/contract/valuations/methods'
import { exactText } from '../../../../src/valuations/engine/decimal.ts'
import { InvalidDocument } from '../../../../src/valuations/engine/engine.ts'
import { basisOf } from '../../../../src/valuations/engine/normalization/basis.ts'
import { daysOf } from '../../../../src/valuations/engine/normalization/period-length.ts'
import { normalize } from '../../../../src/valuations/engine/normalization/normalize.ts'
import { bakery, contextOf, type Period, year2025, yearOf } from '../bakery.ts'

function basis(
  change: Partial<ValuationMethod>,
  periods: Period[] = [yearOf('2024', { revenue: '600000' }), year2025],
) {
  const method = { method: 'revenue_multiple', multiple: '1', ...change } as ValuationMethod
  const context = contextOf(bakery({ methods: [method], inputs: { periods, adjustments: [] } }))
  const found = basisOf(context, normalize(context), method, 'revenue')
  return 'reason' in found ? found.reason : [found.period, exactText(found.node.value)]
}

test('The basis is that of the last period by default, or of the period that the method names', () => {
  assert.deepEqual(basis({}), ['2025', '800000'])
  assert.deepEqual(basis({ period: '2024' }), ['2024', '600000'])
})

test('Several periods are weighted', () => {
  assert.deepEqual(basis({ period: 'weighted', period_weights: { '2025': '0.75', '2024': '0.25' } }), [
    'weighted',
    '750000',
  ])
})

test('A figure that the statements do not give is a reason, and no number', () => {
  assert.equal(
    basis({}, [yearOf('2025', {})]),
    'The statements of period 2025 do not give Revenue. It needs income.revenue.',
  )
  assert.equal(basis({}, []), 'There are no statements that give Revenue.')
  assert.match(
    String(basis({ period: 'weighted', period_weights: { '2024': '1' } }, [yearOf('2024', {})])),
    /period 2024/,
  )
})

test('A period that does not exist, and weights that are missing, are faults of the document', () => {
  for (const change of [
    { period: '2019' },
    { period: 'weighted' },
    { period: 'weighted', period_weights: { '2019': '1' } },
  ])
    assert.throws(() => basis(change), InvalidDocument)
})

test('Sensitivity tries 10 percent less and more of the basis', () => {
  const context = contextOf(bakery())
  const [period] = normalize(context).periods
  assert.equal(exactText(period!.sde!.spread!.low), '180000')
  assert.equal(exactText(period!.sde!.spread!.high), '220000')
})

test('A period that is no year is used as it is, which is an assumption', () => {
  const assumptions = (start: string, end: string) => {
    const method: ValuationMethod = { method: 'revenue_multiple', multiple: '1' }
    const context = contextOf(bakery({ inputs: { periods: [{ ...year2025, start, end }], adjustments: [] } }))
    const found = basisOf(context, normalize(context), method, 'revenue')
    return 'reason' in found ? [] : found.assumptions
  }
  assert.deepEqual(assumptions('2025-07-01', '2025-12-31'), [
    'Period 2025 has 184 days. Its figures are used as they are, not annualized.',
  ])
  assert.deepEqual(assumptions('2024-12-29', '2025-12-27'), [])
})

test('Statements that end after the valuation date, or more than a year before it, are an assumption', () => {
  const toldAt = (valuation_date: string, method: Partial<ValuationMethod> = {}) => {
    const periods = [yearOf('2023'), { ...year2025, known_or_knowable: true }]
    const context = contextOf(bakery({ valuation_date, inputs: { periods, adjustments: [] } }))
    const asked = { method: 'revenue_multiple', multiple: '1', ...method } as ValuationMethod
    const found = basisOf(context, normalize(context), asked, 'revenue')
    return 'reason' in found ? [] : found.assumptions
  }
  assert.deepEqual(toldAt('2025-12-30'), [
    'Period 2025 ends on 2025-12-31, after the valuation date. Its figures were known or could be known then, as the document says.',
  ])
  assert.deepEqual(toldAt('2025-12-31'), [])
  assert.deepEqual(toldAt('2026-12-31'), [])
  const old = /^Period 2025 ended 367 days before the valuation date\./
  assert.match(toldAt('2027-01-02').join('\n'), old)
  assert.match(toldAt('2026-06-30', { period: '2023' }).join('\n'), /^Period 2023 ended 912 days before/)
  const both = { period: 'weighted', period_weights: { '2023': '0.5', '2025': '0.5' } }
  const first = { period: 'weighted', period_weights: { '2023': '1', '2025': '0' } }
  assert.match(toldAt('2026-06-30', first).join('\n'), /^Period 2023 ended 912 days before/)
  assert.deepEqual(toldAt('2026-06-30', both), [])
  assert.match(toldAt('2027-01-02', both).join('\n'), old)
})

test('Days are counted as the calendar has them, over leap years and centuries', () => {
  for (const start of ['1899-12-31', '1900-02-28', '2000-02-28', '2023-06-15', '2024-02-29'])
    for (const days of [1, 2, 365, 366, 40_000]) {
      const last = new Date(Date.parse(start) + (days - 1) * 86_400_000).toISOString().slice(0, 10)
      assert.equal(daysOf({ start, end: last }), days, `${start} to ${last}`)
    }
})

test('The revenue of a period is the same figure of the calculation, adjusted or not', () => {
  for (const line of ['revenue', 'taxes'] as const) {
    const adjustment = { key: 'a1', period: '2025', line, kind: 'accounting', amount: '5' } as const
    const context = contextOf(bakery({ inputs: { adjustments: [adjustment] } }))
    assert.equal(normalize(context).periods[0]?.revenue?.id, 'period.2025.revenue')
  }
})
