import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { calculationTree } from '../../../../src/valuations/engine/calculation/tree.ts'
import {
  InvalidDocument,
  type ResolvedHolding,
  Unvaluable,
} from '../../../../src/valuations/engine/engine.ts'
import { judgeDocument, valueDocument } from '../../../../src/valuations/engine/value-document.ts'
import { assertFollows } from '../calculation/assert-follows.ts'
import { bakery, resolvedWith } from '../documents.ts'

const portfolio = (changes: Partial<ValuationDocument> = {}): ValuationDocument => {
  const { methods: _methods, ...document } = bakery({
    subject: { type: 'portfolio', id: 'pfl_01JD0000000000000000000000', name: 'Main Street Fund' },
    engagement_type: 'calculation',
    inputs: {},
    ...changes,
  })
  return document
}

const held = (
  key: string,
  amount: string,
  changes: Partial<ResolvedHolding> & { currency?: string; on?: string } = {},
): ResolvedHolding => {
  const { currency = 'USD', on = '2026-06-30', ...rest } = changes
  return {
    key,
    subject_type: 'business',
    name: `Company ${key}`,
    ownership_percent: '100',
    discount: null,
    holds: { value: { amount, currency }, valuation_id: `val_${'0'.repeat(32)}`, valuation_date: on },
    ...rest,
  }
}

const within = (
  key: string,
  holdings: readonly ResolvedHolding[],
  changes: Partial<ResolvedHolding> = {},
): ResolvedHolding => ({
  ...held(key, '0'),
  subject_type: 'portfolio',
  name: `Fund ${key}`,
  holds: { portfolio: holdings },
  ...changes,
})

const value = (holdings: readonly ResolvedHolding[], changes: Partial<ValuationDocument> = {}) =>
  valueDocument(portfolio(changes), resolvedWith({ holdings }))
const pointOf = (...args: Parameters<typeof value>) => value(...args).result.conclusion.point.amount

const rate = (from: string, to: string, text: string, as_of = '2026-06-30') => ({
  from,
  to,
  rate: text,
  as_of,
  source: 'ECB',
})
const refused = (run: () => unknown, pointer: string, code: string) =>
  assert.throws(
    run,
    (error: unknown) =>
      error instanceof InvalidDocument &&
      error.faults[0]?.pointer === pointer &&
      error.faults[0].code === code,
  )

test('a portfolio is worth its shares of what it holds', () => {
  const { result, calculation } = value([held('a', '1000', { ownership_percent: '60' }), held('b', '500')])
  assert.equal(result.conclusion.point.amount, '1100.00')
  assert.deepEqual(
    result.holdings?.map(({ key, ownership_percent, share, path }) => [
      key,
      ownership_percent,
      share.amount,
      path,
    ]),
    [
      ['a', '60', '600.00', []],
      ['b', '100', '500.00', []],
    ],
  )
  assert.equal(result.approaches[2]?.methods[0]?.method, 'look_through')
  assert.equal(result.engine.benchmark_set_id, null)
  assertFollows(calculationTree(calculation))
})

test('the shares on the way to a holding are multiplied', () => {
  const { result } = value([
    within(
      'f',
      [
        held('a', '1000', { ownership_percent: '50' }),
        within('g', [held('b', '400')], { ownership_percent: '25' }),
      ],
      {
        ownership_percent: '80',
      },
    ),
  ])
  assert.equal(result.conclusion.point.amount, '480.00')
  assert.deepEqual(
    result.holdings?.map(({ key, ownership_percent, path }) => [key, ownership_percent, path]),
    [
      ['a', '40', ['f']],
      ['b', '20', ['f', 'g']],
    ],
  )
})

test('discounts of holdings are deducted, also those on the way', () => {
  const discount = { rate: '0.1', reason: 'The shares cannot be sold for two years.' }
  const { result } = value([within('f', [held('a', '1000', { discount })], { discount })])
  assert.equal(result.conclusion.point.amount, '810.00')
  assert.equal(result.holdings?.[0]?.discount, '0.19')
  const step = result.adjustments.find(({ code }) => code === 'holding_discount')
  assert.deepEqual(
    [step?.rate, step?.amount?.amount, step?.reason],
    ['0.19', '-190.00', 'Company a: The shares cannot be sold for two years.'],
  )
})

test('another currency is converted by the rate, or by the inverse of the opposite rate', () => {
  const euros = [held('a', '1000', { currency: 'EUR' })]
  assert.equal(pointOf(euros, { inputs: { fx: [rate('EUR', 'USD', '1.25')] } }), '1250.00')
  assert.equal(pointOf(euros, { inputs: { fx: [rate('USD', 'EUR', '0.8')] } }), '1250.00')
  const { result } = value(euros, { inputs: { fx: [rate('EUR', 'USD', '1.25')] } })
  assert.deepEqual(result.holdings?.[0]?.value, { amount: '1000.00', currency: 'EUR' })
  assert.equal(result.holdings?.[0]?.rate, '1.25')
  assert.ok(result.sources.some(({ source, as_of }) => source === 'ECB' && as_of === '2026-06-30'))
})

test('a missing rate is refused, also where a way over a third currency exists', () => {
  const euros = [held('a', '1000', { currency: 'EUR' })]
  refused(() => value(euros), '/inputs/fx', 'requires')
  const fx = [rate('EUR', 'GBP', '0.8'), rate('GBP', 'USD', '1.2')]
  refused(() => value(euros, { inputs: { fx } }), '/inputs/fx', 'requires')
  const later = [rate('EUR', 'USD', '1.25', '2026-07-01')]
  assert.throws(() => value(euros, { inputs: { fx: later } }), InvalidDocument)
  assert.equal(judgeDocument(portfolio(), resolvedWith({ holdings: euros }))[0]?.pointer, '/inputs/fx')
})

test('a holding that is valued as of a later day is refused, an earlier one is assumed to be unchanged', () => {
  refused(() => value([held('a', '1', { on: '2026-07-01' })]), '/valuation_date', 'out_of_range')
  const { assumptions } = value([held('a', '1', { on: '2025-12-31' })]).result
  assert.ok(assumptions.some(one => one.includes('Company a')))
  assert.ok(assumptions.some(one => one.includes('no debts of its own')))
})

test('a portfolio that holds nothing has no conclusion', () => {
  assert.throws(() => value([]), Unvaluable)
  assert.throws(() => value([within('f', [])]), Unvaluable)
})

test('a portfolio that holds itself is an error, and two ways to the same one are none', () => {
  const loop: ResolvedHolding[] = []
  loop.push(within('f', loop))
  assert.throws(() => value(loop), /holds itself/)
  const shared = [held('a', '100')]
  assert.equal(pointOf([within('f', shared), within('g', shared)]), '200.00')
})

test('keys of holdings that are words of the calculation are no trouble', () => {
  const holdings = ['share', 'ownership', 'discount', 'converted'].map(key => held(key, '10'))
  assert.equal(pointOf([within('a', holdings), ...holdings]), '80.00')
})

test('a part of a portfolio is worth its part, and holdings move the conclusion', () => {
  const interest = { percent: '10', kind: 'equity' } as const
  const { result } = value([held('a', '1000'), held('b', '10')], { interest })
  assert.equal(result.conclusion.point.amount, '101.00')
  assert.equal(result.sensitivity.moves_most, 'holding.a')
})

test('nor does the discount of a portfolio whose holdings are worth less than 0 together', () => {
  const discount = { rate: '0.5', reason: 'No market' }
  const fund = (loss: string) =>
    within('f', [held('b', '100', { discount }), held('c', loss, { currency: 'EUR' })], {
      ownership_percent: '50',
      discount,
    })
  const fx = [rate('EUR', 'USD', '2')]
  const pointWith = (loss: string) => pointOf([held('a', '1000'), fund(loss)], { inputs: { fx } })
  // 1,000 + (100 × 0.5 − 40 × 2) × 0.5, without the discount of the fund
  assert.equal(pointWith('-40'), '985.00')
  // 1,000 + (100 × 0.5 − 15 × 2) × 0.5 × 0.5, with it
  assert.equal(pointWith('-15'), '1005.00')
})

test('the discount of a holding below 0 does not raise the value, and a step says so', () => {
  const discount = { rate: '0.3', reason: 'No control' }
  const { result } = value([held('a', '1000'), held('b', '-100', { discount })])
  assert.equal(result.conclusion.point.amount, '900.00')
  assert.deepEqual(
    result.holdings?.map(one => [one.key, one.discount, one.share.amount]),
    [
      ['a', null, '1000.00'],
      ['b', null, '-100.00'],
    ],
  )
  const [step] = result.adjustments.filter(({ code }) => code === 'holding_discount')
  assert.equal(step?.applied, false)
  assert.match(step?.reason ?? '', /^Company b: The value is not above 0/)
})
