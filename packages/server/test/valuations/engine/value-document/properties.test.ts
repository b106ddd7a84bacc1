import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import fc from 'fast-check'
import { Decimal } from '../../../../src/valuations/engine/decimal.ts'
import { concludeDocument, judgeDocument } from '../../../../src/valuations/engine/value-document.ts'
import { bakery, manyMethods, resolvedWith, yearOf } from '../documents.ts'

const pointOf = (document: ValuationDocument): Decimal =>
  concludeDocument(document, resolvedWith()).reconciled.point.value

const same = (one: Decimal, other: Decimal) =>
  assert.ok(
    one.minus(other).abs().lessThanOrEqualTo(other.abs().times('1e-30')),
    `${one.toFixed()} instead of ${other.toFixed()}`,
  )

/** All amounts of the document times a number; its ratios, multiples and shares stay. */
function scaled(scale: number): ValuationDocument {
  const times = (amount: string) => new Decimal(amount).times(scale).toFixed()
  const { inputs, methods = [], ...rest } = manyMethods()
  const { cash, interest_bearing_debt, non_operating_assets } = inputs.bridge ?? {}
  return {
    ...rest,
    inputs: {
      ...inputs,
      periods: [yearOf(2023, 0.8 * scale), yearOf(2024, 0.9 * scale), yearOf(2025, scale)],
      adjustments: (inputs.adjustments ?? []).map(one => ({
        ...one,
        amount: times(one.amount),
        replacement_cost: times(one.replacement_cost ?? '0'),
      })),
      bridge: {
        cash: times(cash ?? '0'),
        interest_bearing_debt: times(interest_bearing_debt ?? '0'),
        non_operating_assets: times(non_operating_assets ?? '0'),
        working_capital: { actual: times('50000'), normal: times('45000') },
      },
    },
    methods: methods.map(method =>
      method.method === 'discounted_cash_flow'
        ? { ...method, cash_flows: method.cash_flows.map(times) }
        : method,
    ),
  }
}

test('amounts that are n times as large give n times the value', () => {
  const one = pointOf(scaled(1))
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 1000 }), scale => same(pointOf(scaled(scale)), one.times(scale))),
    { numRuns: 20 },
  )
})

test('parts of an interest add up to the whole', () => {
  const part = (percent: number) =>
    pointOf(manyMethods({ interest: { percent: String(percent), kind: 'equity' } }))
  const whole = part(100)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), percent =>
      same(part(percent).plus(part(100 - percent)), whole),
    ),
    { numRuns: 20 },
  )
})

test('a higher discount rate gives a lower value, and a higher multiple a higher one', () => {
  const percent = fc.integer({ min: 10, max: 60 }).map(rate => rate / 100)
  const at = (rate: number, multiple: number) =>
    pointOf(
      manyMethods({
        methods: (manyMethods().methods ?? []).map(method => {
          if (method.method === 'sde_multiple') return { ...method, multiple: String(multiple) }
          return method.method === 'discounted_cash_flow'
            ? { ...method, discount_rate: String(rate) }
            : method
        }),
      }),
    )
  fc.assert(
    fc.property(percent, percent, (one, other) => {
      if (one < other) assert.ok(at(one, 2).greaterThan(at(other, 2)))
      if (one < other) assert.ok(at(0.2, one * 10).lessThan(at(0.2, other * 10)))
    }),
    { numRuns: 30 },
  )
})

test('the order of methods, periods and adjustments does not matter', () => {
  const { inputs, methods = [] } = manyMethods()
  const turned = manyMethods({
    inputs: { ...inputs, periods: (inputs.periods ?? []).toReversed() },
    methods: methods.toReversed(),
  })
  assert.ok(pointOf(turned).equals(pointOf(manyMethods())))
})

test('a portfolio of the parts of a company is worth what a portfolio of the company is', () => {
  const { methods: _methods, ...document } = bakery({
    subject: { type: 'portfolio', id: 'pfl_01JD0000000000000000000000' },
    inputs: {},
  })
  const valueOf = (percents: readonly number[]) => {
    const holdings = percents.map((percent, at) => ({
      key: `h${at}`,
      subject_type: 'business' as const,
      name: 'Corner Bakery',
      ownership_percent: String(percent),
      discount: null,
      holds: {
        value: { amount: '123456.78', currency: 'USD' },
        valuation_id: `val_${'0'.repeat(32)}`,
        valuation_date: '2026-06-30',
      },
    }))
    return concludeDocument(document, resolvedWith({ holdings })).reconciled.point.value
  }
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), percent =>
      same(valueOf([percent, 100 - percent]), valueOf([100])),
    ),
    { numRuns: 20 },
  )
})

test('a draft that names evidence of another valuation is refused with its place', () => {
  const [period] = bakery().inputs.periods ?? []
  assert.ok(period)
  const evidence_id = '00000000-0000-4000-8000-000000000099'
  const document = bakery({ inputs: { periods: [{ ...period, evidence_id }] } })
  assert.deepEqual(
    judgeDocument(document, resolvedWith()).map(({ pointer, code }) => [pointer, code]),
    [['/inputs/periods/0/evidence_id', 'unknown']],
  )
  const item = { evidence_id, code: 'returns', dated_on: '2026-01-31', known_or_knowable: false } as const
  assert.deepEqual(judgeDocument(document, resolvedWith({ evidence: [item] })), [])
})
