import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCalculation } from '../../../../src/valuations/engine/calculation/calculation.ts'
import { InvalidDocument } from '../../../../src/valuations/engine/engine.ts'
import { lackOfMarketability } from '../../../../src/valuations/engine/levels/lack-of-marketability.ts'
import { bakery, resolvedWith } from '../documents.ts'

type Dlom = Parameters<typeof withDlom>[0]

const withDlom = (
  dlom: NonNullable<NonNullable<ReturnType<typeof bakery>['inputs']['discounts']>['dlom']>,
) => ({
  document: bakery({ inputs: { discounts: { dlom } } }),
  resolved: resolvedWith(),
  calc: createCalculation(),
})
const discount = (dlom: Dlom) => lackOfMarketability(withDlom(dlom)).discount.value.toNumber()
const close = (found: number, expected: number, within: number) =>
  assert.ok(Math.abs(found - expected) <= within, `${found} instead of ${expected}`)

test("Chaffe's discount is the price of the put: 5.5735 for a share of 100 (Hull, Options, Futures, and Other Derivatives)", () => {
  const dlom: Dlom = { model: 'chaffe', volatility: '0.2', years: '1', risk_free: '0.05' }
  close(discount(dlom), 0.055735, 1e-6)
})

test("Chaffe's discount grows with volatility, and falls with the risk-free rate", () => {
  const chaffe = (volatility: string, risk_free: string) =>
    discount({ model: 'chaffe', volatility, years: '2', risk_free })
  assert.ok(chaffe('0.3', '0.04') < chaffe('0.6', '0.04'))
  assert.ok(chaffe('0.6', '0.08') < chaffe('0.6', '0.04'))
})

test("Finnerty's discount has the limit of 32.28 percent, at which v² is ln 2", () => {
  close(discount({ model: 'finnerty', volatility: '3', years: '10' }), 0.32279, 1e-5)
})

test("For a small variance, Finnerty's v² is a third of it", () => {
  // A series of v² in σ²T begins with σ²T ÷ 3, and N(v ÷ 2) − N(−v ÷ 2) with v ÷ √(2π).
  const expected = Math.sqrt(0.01 ** 2 / 3) / Math.sqrt(2 * Math.PI)
  close(discount({ model: 'finnerty', volatility: '0.01', years: '1' }), expected, expected * 1e-4)
})

test('Finnerty and Chaffe agree with the restricted-stock studies of the time: 20 to 35 percent for volatile shares', () => {
  for (const volatility of ['0.7', '0.8', '0.9'])
    for (const found of [
      discount({ model: 'finnerty', volatility, years: '2' }),
      discount({ model: 'chaffe', volatility, years: '2', risk_free: '0.05' }),
    ])
      assert.ok(found > 0.19 && found < 0.45, `${found}`)
})

test('dividends reduce the discount of Finnerty by their present value', () => {
  const without = discount({ model: 'finnerty', volatility: '0.6', years: '2' })
  const found = discount({ model: 'finnerty', volatility: '0.6', years: '2', dividend_yield: '0.05' })
  close(found, without * Math.exp(-0.1), 1e-12)
})

test('a discount of every model is from 0 to 1', () => {
  const models = fc.constantFrom('finnerty' as const, 'chaffe' as const)
  fc.assert(
    fc.property(
      models,
      fc.integer({ min: 5, max: 150 }),
      fc.integer({ min: 1, max: 120 }),
      (model, percent, months) => {
        const found = discount({
          model,
          volatility: String(percent / 100),
          years: (months / 12).toFixed(6),
          risk_free: '0.04',
        })
        assert.ok(found > 0 && found < 1)
      },
    ),
    { numRuns: 50 },
  )
})

test('figures for which the formulas give nothing are refused with their place', () => {
  const refused = (dlom: Dlom, pointer: string, code: string) =>
    assert.throws(
      () => discount(dlom),
      (error: unknown) =>
        error instanceof InvalidDocument &&
        error.faults[0]?.pointer === pointer &&
        error.faults[0].code === code,
    )
  const at = '/inputs/discounts/dlom'
  refused({ model: 'finnerty', volatility: '0', years: '2' }, `${at}/volatility`, 'out_of_range')
  refused({ model: 'finnerty', volatility: '0.009', years: '1' }, `${at}/volatility`, 'out_of_range')
  refused({ model: 'finnerty', volatility: '0.5', years: '0' }, `${at}/volatility`, 'out_of_range')
  refused({ model: 'finnerty', volatility: '999999', years: '2' }, `${at}/volatility`, 'out_of_range')
  refused(
    { model: 'finnerty', volatility: '0.5', years: '2', dividend_yield: '99' },
    `${at}/dividend_yield`,
    'out_of_range',
  )
  refused({ model: 'chaffe', volatility: '0.5', years: '2' }, `${at}/risk_free`, 'required')
  refused({ model: 'chaffe', volatility: '0.5', years: '2', risk_free: '-0.9' }, at, 'out_of_range')
  refused({ model: 'cited_study', rate: '1', source: 'A study', as_of: '2020-01-01' }, at, 'out_of_range')
})
