import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MethodOf } from '@wbs/contract/valuations/methods'
import { amountText } from '../../../../src/valuations/engine/decimal.ts'
import { capitalizedCashFlow } from '../../../../src/valuations/engine/methods/capitalized-cash-flow.ts'
import { discountedCashFlow } from '../../../../src/valuations/engine/methods/discounted-cash-flow.ts'
import { fault } from '../fault.ts'
import { computedBy } from './computed-by.ts'

type Capitalized = MethodOf<'capitalized_cash_flow'>
type Discounted = MethodOf<'discounted_cash_flow'>

const fromEquity = { discount_rate: { from: 'cost_of_equity' } } as const
const fromWacc = { discount_rate: { from: 'wacc' } } as const
const cost_of_capital = {
  equity: { model: 'stated', rate: '0.2', source: 'Survey of lenders' },
  debt: { after_tax: '0.05' },
  weights: { equity: '0.6', debt: '0.4' },
} as const

const capitalized = (change: Partial<Capitalized> = {}, inputs = {}) =>
  computedBy(
    capitalizedCashFlow,
    {
      method: 'capitalized_cash_flow',
      cash_flow: '100',
      cash_flow_is: 'next_year',
      discount_rate: '0.2',
      growth: '0.04',
      ...change,
    },
    { inputs },
  )

describe('capitalized cash flow', () => {
  it('divides the cash flow of the next year by the discount rate less growth', () => {
    const { outcome, value, figure } = capitalized()
    assert.equal(value().toFixed(), '625')
    assert.equal(figure('capitalized_cash_flow.capitalization_rate').toFixed(), '0.16')
    assert.equal(outcome.rate?.value.toFixed(), '0.2')
    assert.equal(outcome.basis?.value.toFixed(), '100')
    assert.equal(outcome.base_level, 'control_marketable')
  })

  it('lets a cash flow of the base year grow first', () => {
    assert.equal(capitalized({ cash_flow_is: 'base_year' }).value().toFixed(), '650')
  })

  it('is a value of equity at the cost of equity, and of all capital at another rate', () => {
    const equity = capitalized(fromEquity, { cost_of_capital })
    assert.deepEqual([equity.outcome.indicates, equity.value().toFixed()], ['equity', '625'])
    assert.deepEqual(equity.outcome.sources, [
      { figure: 'Cost of equity', source: 'Survey of lenders', as_of: null },
    ])
    const all = capitalized(fromWacc, { cost_of_capital })
    assert.deepEqual([all.outcome.indicates, all.value().toFixed()], ['invested_capital', '1000'])
    const given = capitalized()
    assert.equal(given.outcome.indicates, 'invested_capital')
    assert.match(given.outcome.assumptions.join(), /Capitalized cash flow is that of all capital/)
  })

  it('says what its cash flow and its rate are: after taxes, nominal, and of whom', () => {
    const toldBy = (...args: Parameters<typeof capitalized>) =>
      capitalized(...args).outcome.assumptions.join()
    const ofEquity = /The given cash flows are those of equity/
    assert.match(toldBy(), /after income taxes.*nominal/)
    assert.doesNotMatch(toldBy(), ofEquity)
    assert.match(toldBy(fromEquity, { cost_of_capital }), ofEquity)
  })

  it('says that total beta contains a premium for the company already', () => {
    const toldBy = (model: 'capm' | 'total_beta', company_specific: string) => {
      const correlation = model === 'capm' ? {} : { correlation: '0.5' }
      const market = { risk_free: '0.04', equity_risk_premium: '0.05', beta: { levered: '1' } }
      const equity = { model, ...market, ...correlation, company_specific }
      return capitalized(fromEquity, { cost_of_capital: { equity } }).outcome.assumptions.join()
    }
    assert.match(toldBy('total_beta', '0.02'), /Total beta contains the risks of this company already/)
    assert.doesNotMatch(toldBy('total_beta', '0.000'), /Total beta/)
    assert.doesNotMatch(toldBy('capm', '0.02'), /Total beta/)
  })

  it('is rejected for a cash flow of 0 or less, and says why', () => {
    for (const cash_flow of ['0', '-5']) {
      const { outcome } = capitalized({ cash_flow })
      assert.equal(outcome.indicated, null)
      assert.match(String(outcome.reason_rejected), /not above 0/)
    }
  })

  it('is rejected if the statements give no net cash flow', () => {
    const { outcome } = capitalized({ cash_flow: { from: 'net_cash_flow' } })
    assert.equal(outcome.indicated, null)
    assert.ok(outcome.reason_rejected)
  })

  it('takes the net cash flow of the last period, of a named one, or of several by weight', () => {
    const year = (key: string, ebit: string) => ({
      key,
      start: `${key}-01-01`,
      end: `${key}-12-31`,
      basis: 'reviewed' as const,
      income: {
        ebit,
        depreciation: '20000',
        tax_rate: '0.25',
        capital_expenditure: '15000',
        change_in_working_capital: '5000',
      },
    })
    const inputs = { periods: [year('2025', '100000'), year('2024', '60000')], cost_of_capital }
    const from = { cash_flow: { from: 'net_cash_flow' }, discount_rate: '0.19' } as const
    const last = capitalized(from, inputs)
    assert.deepEqual([last.value().toFixed(), last.outcome.period], ['500000', '2025'])
    const named = capitalized({ ...from, period: '2024' }, inputs)
    assert.deepEqual([named.value().toFixed(), named.outcome.period], ['300000', '2024'])
    const several = { period: 'weighted', period_weights: { '2024': '0.5', '2025': '0.5' } }
    const weighted = capitalized({ ...from, ...several }, inputs)
    assert.deepEqual([weighted.value().toFixed(), weighted.outcome.period], ['400000', 'weighted'])
    const [first, second] = inputs.periods
    const { capital_expenditure: _left, ...income } = first?.income ?? {}
    const unsaid = capitalized(from, { periods: [{ ...first, income }, second] })
    assert.match(unsaid.outcome.assumptions.join(), /capital expenditure of 2025 is not given/i)
    const withoutDebt = /as for a business without debt/
    assert.doesNotMatch(last.outcome.assumptions.join(), withoutDebt)
    assert.match(capitalized({ ...from, ...fromEquity }, inputs).outcome.assumptions.join(), withoutDebt)
  })

  it('refuses growth that is not below the rate, also below one that was computed', () => {
    const growth = fault('/methods/0/growth', 'out_of_range')
    assert.throws(() => capitalized({ growth: '0.2' }), growth)
    assert.throws(() => capitalized({ growth: '0.25' }), growth)
    assert.throws(() => capitalized({ ...fromWacc, growth: '0.14' }, { cost_of_capital }), growth)
    assert.throws(() => capitalized({ growth: '-1' }), growth)
    assert.equal(capitalized({ growth: '-0.05' }).value().toFixed(), '400')
  })

  it('refuses a rate that is not above 0, or that does not follow from the document', () => {
    const rate = '/methods/0/discount_rate'
    assert.throws(() => capitalized({ discount_rate: '0', growth: '-0.1' }), fault(rate, 'out_of_range'))
    assert.throws(() => capitalized({ discount_rate: '-0.1', growth: '-0.2' }), fault(rate, 'out_of_range'))
    assert.throws(() => capitalized(fromEquity), fault(rate, 'requires'))
    const { equity } = cost_of_capital
    assert.throws(() => capitalized(fromWacc, { cost_of_capital: { equity } }), fault(rate, 'requires'))
  })

  it('has its rate, its growth and its cash flow as drivers, which never meet', () => {
    const usual = capitalized()
    assert.deepEqual(usual.spread('capitalized_cash_flow.discount_rate'), ['0.19', '0.21'])
    assert.deepEqual(usual.spread('capitalized_cash_flow.growth'), ['0.035', '0.045'])
    assert.deepEqual(usual.spread('capitalized_cash_flow.cash_flow'), ['90', '110'])
    const narrow = capitalized({ growth: '0.194' })
    assert.deepEqual(narrow.spread('capitalized_cash_flow.discount_rate'), ['0.198', '0.21'])
    assert.deepEqual(narrow.spread('capitalized_cash_flow.growth'), ['0.189', '0.196'])
  })
})

const discounted = (change: Partial<Discounted> = {}, inputs = {}) =>
  computedBy(
    discountedCashFlow,
    {
      method: 'discounted_cash_flow',
      cash_flows: ['110', '121'],
      discount_rate: '0.1',
      terminal: { kind: 'exit_multiple', metric_amount: '60.5', multiple: '4' },
      ...change,
    },
    { inputs },
  )
const gordon = (growth: string) => ({ terminal: { kind: 'gordon', growth } }) as const

describe('discounted cash flow', () => {
  it('adds the present values of all years and of a sale at the end', () => {
    const { outcome, value, figure } = discounted()
    assert.equal(value().toFixed(), '400')
    assert.equal(figure('discounted_cash_flow.explicit').toFixed(), '200')
    assert.equal(figure('discounted_cash_flow.year.2.present_value').toFixed(), '100')
    assert.equal(figure('discounted_cash_flow.terminal').toFixed(), '242')
    assert.equal(figure('discounted_cash_flow.terminal.present_value').toFixed(), '200')
    assert.deepEqual(outcome.checks, [])
  })

  it('says of whom its cash flows are, if the rate is that of equity', () => {
    const ofEquity = /The given cash flows are those of equity/
    const byEquity = discounted({ discount_rate: { from: 'cost_of_equity' } }, { cost_of_capital })
    assert.match(byEquity.outcome.assumptions.join(), ofEquity)
    assert.doesNotMatch(discounted().outcome.assumptions.join(), ofEquity)
  })

  it('adds growth for ever after the last year', () => {
    const { value, figure } = discounted({ cash_flows: ['110'], ...gordon('0') })
    assert.equal(figure('discounted_cash_flow.terminal').toFixed(), '1100')
    assert.equal(value().toFixed(), '1100')
  })

  it('discounts half a year less in the middle of the years, but a sale from the end of the last', () => {
    const mid = discounted({ mid_year: true })
    assert.equal(mid.figure('discounted_cash_flow.year.1.years').toFixed(), '0.5')
    assert.equal(mid.figure('discounted_cash_flow.terminal.years').toFixed(), '2')
    assert.equal(mid.figure('discounted_cash_flow.terminal.present_value').toFixed(), '200')
    assert.equal(amountText(mid.value()), '409.76')
    const growing = discounted({ mid_year: true, ...gordon('0.02') })
    assert.equal(growing.figure('discounted_cash_flow.terminal.years').toFixed(), '1.5')
    assert.match(growing.outcome.assumptions.join(), /in the middle of each year/)
  })

  it('reports a terminal value of more than 80 percent', () => {
    const [check] = discounted(gordon('0.07')).outcome.checks
    assert.equal(check?.code, 'terminal_share_above_80_percent')
    assert.ok(Number(check?.computed) > 0.8)
    const atTheLimit = { kind: 'exit_multiple', metric_amount: '968', multiple: '1' } as const
    assert.deepEqual(discounted({ terminal: atTheLimit }).outcome.checks, [])
    const above = { ...atTheLimit, metric_amount: '968.01' }
    assert.equal(discounted({ terminal: above }).outcome.checks.length, 1)
  })

  it('is rejected if the last cash flow cannot grow, or if nothing is left', () => {
    const { outcome } = discounted({ cash_flows: ['100', '-1'], ...gordon('0.02') })
    assert.match(String(outcome.reason_rejected), /cannot grow for ever/)
    const lost = discounted({ cash_flows: ['-500', '1'] })
    assert.match(String(lost.outcome.reason_rejected), /not above 0/)
    assert.equal(lost.outcome.indicated, null)
    assert.equal(discounted({ cash_flows: ['-100', '121'] }).outcome.reason_rejected, null)
  })

  it('refuses growth that is not below the rate', () => {
    const growth = fault('/methods/0/terminal/growth', 'out_of_range')
    assert.throws(() => discounted(gordon('0.1')), growth)
    assert.throws(() => discounted({ ...fromEquity, ...gordon('0.3') }, { cost_of_capital }), growth)
  })

  it('is a value of equity at the cost of equity', () => {
    assert.equal(discounted(fromEquity, { cost_of_capital }).outcome.indicates, 'equity')
    assert.equal(discounted(fromWacc, { cost_of_capital }).outcome.indicates, 'invested_capital')
  })

  it('has its rate, its growth and its exit multiple as drivers', () => {
    assert.deepEqual(discounted().spread('discounted_cash_flow.discount_rate'), ['0.09', '0.11'])
    assert.deepEqual(discounted().spread('discounted_cash_flow.terminal.multiple'), ['3.6', '4.4'])
    assert.deepEqual(discounted(gordon('0.02')).spread('discounted_cash_flow.growth'), ['0.015', '0.025'])
  })
})
