import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { MethodName } from '@wbs/contract/valuations/methods'
import fc from 'fast-check'
import { createCalculation } from '../../../../src/valuations/engine/calculation/calculation.ts'
import { Decimal } from '../../../../src/valuations/engine/decimal.ts'
import { type MethodOutcome, Unvaluable } from '../../../../src/valuations/engine/engine.ts'
import { excessEarningsCheck } from '../../../../src/valuations/engine/reconciliation/excess-earnings-check.ts'
import { rangeAround } from '../../../../src/valuations/engine/reconciliation/range.ts'
import { reconcile } from '../../../../src/valuations/engine/reconciliation/reconcile.ts'
import { bakery, resolvedWith } from '../documents.ts'

function reconciled(values: Partial<Record<MethodName, string>>, changes: Partial<ValuationDocument> = {}) {
  const calc = createCalculation()
  const concluded = Object.entries(values).map(([method, value]) => {
    const node = calc.input({ id: `${method}.indicated`, label: method, unit: 'USD' }, value)
    return { outcome: { method } as MethodOutcome, bridged: node, concluded: node }
  })
  return reconcile({ document: bakery(changes), resolved: resolvedWith(), calc }, concluded)
}

test('the point is the weighted sum of the values', () => {
  const { point, reconciliation } = reconciled(
    { sde_multiple: '1000', revenue_multiple: '500' },
    { weights: { sde_multiple: '0.7', revenue_multiple: '0.3' } },
  )
  assert.equal(point.value.toFixed(), '850')
  assert.deepEqual(
    reconciliation.map(({ method, weight }) => [method, weight]),
    [
      ['sde_multiple', '0.7'],
      ['revenue_multiple', '0.3'],
    ],
  )
})

test('without weights all methods count the same, without a rest by rounding', () => {
  const { point, reconciliation } = reconciled({
    sde_multiple: '1000',
    ebitda_multiple: '1000',
    revenue_multiple: '1000',
  })
  assert.equal(point.value.toFixed(), '1000')
  assert.deepEqual(new Set(reconciliation.map(({ weight }) => weight)), new Set(['0.333333333333']))
})

test('the weight of a rejected method is distributed over the others, and the rationale says so', () => {
  const { point, reconciliation } = reconciled(
    { sde_multiple: '1000', revenue_multiple: '500' },
    { weights: { sde_multiple: '0.6', revenue_multiple: '0.2', ebitda_multiple: '0.2' } },
  )
  assert.equal(point.value.toFixed(), '875')
  assert.deepEqual(
    reconciliation.map(({ weight }) => weight),
    ['0.75', '0.25'],
  )
  assert.match(reconciliation[0]?.rationale ?? '', /weight of EBITDA multiple is distributed/)
})

test('a method with the weight 0 is listed and does not count', () => {
  const { point, used, reconciliation } = reconciled(
    { sde_multiple: '1000', adjusted_net_assets: '1' },
    { weights: { sde_multiple: '1' } },
  )
  assert.equal(point.value.toFixed(), '1000')
  assert.equal(used.length, 1)
  assert.equal(reconciliation[1]?.weight, '0')
})

test('the rationale of the method stands first', () => {
  const rationale = 'Buyers of such shops price on SDE.'
  const { reconciliation } = reconciled(
    { sde_multiple: '1000' },
    { methods: [{ method: 'sde_multiple', multiple: '2', rationale }] },
  )
  assert.equal(reconciliation[0]?.rationale, `${rationale} The only method.`)
})

test('without a weight above 0 there is no conclusion', () => {
  assert.throws(() => reconciled({ sde_multiple: '1' }, { weights: { revenue_multiple: '1' } }), Unvaluable)
})

test('the range covers the point, the values and the middle of the draws', () => {
  const decimals = (values: number[]) => values.map(value => new Decimal(value))
  const { low, high } = rangeAround(new Decimal(5), decimals([4, 7]), {
    p10: new Decimal(3),
    p90: new Decimal(6),
  })
  assert.deepEqual([low.toFixed(), high.toFixed()], ['3', '7'])
  fc.assert(
    fc.property(fc.integer(), fc.array(fc.integer()), (point, values) => {
      const range = rangeAround(new Decimal(point), decimals(values), null)
      assert.ok(range.low.lessThanOrEqualTo(point) && range.high.greaterThanOrEqualTo(point))
    }),
  )
})

test('excess earnings more than a fifth away from the other methods are reported', () => {
  const check = (value: string) => {
    const found = reconciled({ sde_multiple: '1000', revenue_multiple: '500' })
    const bridged = createCalculation().input({ id: 'x', label: 'x', unit: 'USD' }, value)
    return excessEarningsCheck([{ outcome: {} as MethodOutcome, bridged }], found)
  }
  assert.deepEqual(check('900'), [])
  assert.deepEqual(check('901'), [
    {
      code: 'excess_earnings_differ',
      period: null,
      reported: '901.00',
      computed: '750.00',
      difference: '151.00',
    },
  ])
})
