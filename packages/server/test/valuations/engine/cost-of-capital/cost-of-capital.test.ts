import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { ValuationInputs } from '@wbs/contract/valuations/inputs'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { calculationTree } from '../../../../src/valuations/engine/calculation/tree.ts'
import { storedCalculation } from '../../../../src/valuations/engine/calculation/calculation.ts'
import { costOfCapital } from '../../../../src/valuations/engine/cost-of-capital/cost-of-capital.ts'
import { decimal, ratioText } from '../../../../src/valuations/engine/decimal.ts'
import { assertFollows } from '../calculation/assert-follows.ts'
import { contextOf, documentWith } from '../engine-context.ts'
import { fault } from '../fault.ts'

type CostOfCapital = NonNullable<ValuationInputs['cost_of_capital']>

function computed(cost_of_capital: CostOfCapital) {
  const context = contextOf(documentWith({ inputs: { cost_of_capital } }))
  const rates = costOfCapital(context)
  for (const rate of Object.values(rates))
    if (rate) assertFollows(calculationTree(storedCalculation(rate, context.calc.nodes)))
  const text = (rate: keyof typeof rates) => (rates[rate] ? ratioText(rates[rate].value) : null)
  return {
    cost_of_equity: text('cost_of_equity'),
    cost_of_debt: text('cost_of_debt'),
    wacc: text('wacc'),
    node: (id: string) => context.calc.nodes.find(one => one.id === `cost_of_capital.${id}`),
  }
}

const market = { risk_free: '0.04', equity_risk_premium: '0.05' }
const capm = (beta: object) => computed({ equity: { model: 'capm', ...market, beta } })
describe('the cost of equity', () => {
  it('is the sum of the premiums by build-up, and shows those that are not 0', () => {
    const premiums = { size_premium: '0.0522', industry_premium: '0', company_specific: '0.03' }
    const { cost_of_equity, node } = computed({ equity: { model: 'build_up', ...market, ...premiums } })
    assert.equal(cost_of_equity, '0.1722')
    assert.equal(node('cost_of_equity')?.inputs.length, 4)
    assert.equal(node('industry_premium'), undefined)
    assert.equal(computed({ equity: { model: 'build_up', ...market } }).cost_of_equity, '0.09')
  })

  it('adds beta times the premium for the market by CAPM, and further premiums', () => {
    assert.equal(capm({ levered: '1.2' }).cost_of_equity, '0.1')
    const premiums = { size_premium: '0.02', company_specific: '0.01' }
    assert.equal(
      computed({ equity: { model: 'capm', ...market, ...premiums, beta: { levered: '1.2' } } })
        .cost_of_equity,
      '0.13',
    )
  })

  it('divides beta by the correlation for total beta, which it needs above 0', () => {
    const equity = { model: 'total_beta', ...market, beta: { levered: '0.9' } } as const
    assert.equal(computed({ equity: { ...equity, correlation: '0.5' } }).cost_of_equity, '0.13')
    const pointer = '/inputs/cost_of_capital/equity/correlation'
    assert.throws(() => computed({ equity }), fault(pointer, 'requires'))
    assert.throws(() => computed({ equity: { ...equity, correlation: '0' } }), fault(pointer, 'out_of_range'))
  })

  it('relevers an unlevered beta with the debt and the tax rate of the subject', () => {
    const { node, cost_of_equity } = capm({ unlevered: '0.8', debt_equity: '0.5', tax_rate: '0.25' })
    assert.equal(node('beta')?.value.toFixed(), '1.1')
    assert.equal(cost_of_equity, '0.095')
  })

  it('unlevers each peer with its own debt and tax rate, averages, and relevers', () => {
    const { node } = capm({
      peers: [
        { levered: '1.1', debt_equity: '0.5', tax_rate: '0.2' },
        { levered: '1.5', debt_equity: '1', tax_rate: '0.4' },
      ],
      debt_equity: '0.5',
      tax_rate: '0.3',
    })
    const [first, second] = [decimal('1.1').dividedBy('1.4'), decimal('1.5').dividedBy('1.6')]
    assert.equal(node('peer.1.unlevered_beta')?.value.toFixed(), first.toFixed())
    assert.equal(node('peer.2.unlevered_beta')?.value.toFixed(), second.toFixed())
    assert.equal(node('unlevered_beta')?.value.toFixed(), first.plus(second).dividedBy(2).toFixed())
  })

  it('names what a beta lacks', () => {
    const at = '/inputs/cost_of_capital/equity/beta'
    assert.throws(() => capm({}), fault(at, 'requires'))
    assert.throws(() => capm({ unlevered: '1', tax_rate: '0.3' }), fault(`${at}/debt_equity`, 'requires'))
    assert.throws(() => capm({ unlevered: '1', debt_equity: '0.3' }), fault(`${at}/tax_rate`, 'requires'))
    const peers = [{ levered: '1', debt_equity: '1', tax_rate: '2' }]
    assert.throws(
      () => capm({ peers, debt_equity: '1', tax_rate: '0.3' }),
      fault(`${at}/peers/0/tax_rate`, 'out_of_range'),
    )
  })

  it('is as stated, with its source', () => {
    const { cost_of_equity, node } = computed({
      equity: { model: 'stated', rate: '0.2', source: 'Survey of lenders' },
    })
    assert.equal(cost_of_equity, '0.2')
    assert.equal(node('cost_of_equity')?.source, 'Survey of lenders')
  })
})

describe('the cost of debt and the weighted average', () => {
  const equity = { model: 'stated', rate: '0.2' } as const
  const weights = { equity: '0.6', debt: '0.4' }

  it('take taxes off the cost of debt once', () => {
    const before = computed({ equity, debt: { pre_tax: '0.09', tax_rate: '0.4' }, weights })
    assert.deepEqual([before.cost_of_debt, before.wacc], ['0.054', '0.1416'])
    const after = computed({ equity, debt: { after_tax: '0.054' }, weights })
    assert.deepEqual([after.cost_of_debt, after.wacc], ['0.054', '0.1416'])
  })

  it('are not there if the document does not give enough', () => {
    assert.deepEqual(computed({ equity, debt: { pre_tax: '0.09' }, weights }).cost_of_debt, null)
    assert.equal(computed({ equity, weights }).wacc, null)
    assert.equal(computed({ debt: { after_tax: '0.05' }, weights }).wacc, null)
    assert.equal(computed({ equity, debt: { after_tax: '0.05' } }).wacc, null)
  })

  it('need no cost of debt if there is no debt', () => {
    assert.equal(computed({ equity, weights: { equity: '1', debt: '0' } }).wacc, '0.2')
  })

  it('refuse a tax rate above 1', () => {
    assert.throws(
      () => computed({ debt: { pre_tax: '0.09', tax_rate: '25' } }),
      fault('/inputs/cost_of_capital/debt/tax_rate', 'out_of_range'),
    )
  })
})

describe('the industries of Damodaran', () => {
  // Damodaran Online (NYU Stern), US companies: the columns of wacc.xls, of 2025-01-05 and 2026-01-05.
  const file = new URL('damodaran-industries.csv', import.meta.url)
  const industries: Record<string, string>[] = parse(readFileSync(file), { columns: true })
  const markets: Record<string, typeof market> = {
    '2025-01-05': { risk_free: '0.0458', equity_risk_premium: '0.0433' },
    '2026-01-05': { risk_free: '0.0395', equity_risk_premium: '0.0446' },
  }
  const near = (value: string | null, published: string | undefined, what: string) =>
    assert.ok(
      value !== null && decimal(value).minus(String(published)).abs().lessThanOrEqualTo('0.000001'),
      `${what}: ${value}, not ${published}`,
    )

  it('have the published cost of equity and cost of capital', () => {
    assert.equal(industries.length, 192)
    for (const row of industries) {
      const figure = (column: string) => String(row[column])
      const of = { ...markets[figure('dataset_date')], beta: { levered: figure('beta_levered') } } as const
      const { cost_of_equity, wacc } = computed({
        equity: { model: 'capm', ...market, ...of },
        debt: { after_tax: figure('cost_of_debt_aftertax') },
        weights: { equity: figure('equity_weight'), debt: figure('debt_weight') },
      })
      const what = `${row['industry']} of ${row['dataset_date']}`
      near(cost_of_equity, row['cost_of_equity'], what)
      near(wacc, row['cost_of_capital'], what)
    }
  })

  it('keep their beta when it is unlevered and relevered with the same debt', () => {
    for (const row of industries) {
      const debt_equity = decimal(String(row['debt_weight']))
        .dividedBy(String(row['equity_weight']))
        .toFixed(18)
      const peer = { debt_equity, tax_rate: '0.25' }
      const { node } = capm({ peers: [{ levered: row['beta_levered'], ...peer }], ...peer })
      near(String(node('beta')?.value), row['beta_levered'], String(row['industry']))
    }
  })
})

describe('relevering', () => {
  const thousandth = (min: number, max: number) =>
    fc.integer({ min, max }).map(n => decimal(String(n)).dividedBy(1000).toFixed())

  it('gives back the beta that was unlevered, to 32 digits', () => {
    fc.assert(
      fc.property(
        thousandth(1, 3000),
        thousandth(0, 5000),
        thousandth(0, 1000),
        (levered, debt_equity, tax_rate) => {
          const { node } = capm({ peers: [{ levered, debt_equity, tax_rate }], debt_equity, tax_rate })
          assert.ok(node('beta')?.value.dividedBy(levered).minus(1).abs().lessThan('1e-32'))
        },
      ),
    )
  })

  it('raises beta with debt, and less so with taxes', () => {
    fc.assert(
      fc.property(
        thousandth(1, 2000),
        thousandth(0, 3000),
        thousandth(0, 900),
        (unlevered, debt_equity, tax_rate) => {
          const beta = (debt: string, tax: string) => {
            const { node } = capm({ unlevered, debt_equity: debt, tax_rate: tax })
            return decimal(String(node('beta')?.value))
          }
          const more = decimal(debt_equity).plus('0.1').toFixed()
          assert.ok(beta(more, tax_rate).greaterThan(beta(debt_equity, tax_rate)))
          assert.ok(beta(more, decimal(tax_rate).plus('0.1').toFixed()).lessThan(beta(more, tax_rate)))
        },
      ),
    )
  })
})
