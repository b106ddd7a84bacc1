import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { valueDocument } from '../../../../src/valuations/engine/value-document.ts'
import { bakery, resolvedWith, yearOf } from '../documents.ts'

const resultOf = (changes: Partial<ValuationDocument>) =>
  valueDocument(bakery(changes), resolvedWith()).result

describe('the assumptions about the bridge', () => {
  const period = { ...yearOf(2025), balance: { cash: '0', interest_bearing_debt: '60000' } }
  const earlier = { ...yearOf(2024), balance: { cash: '5000', interest_bearing_debt: '90000' } }
  const linesOf = (changes: Partial<ValuationDocument>) =>
    resultOf(changes).assumptions.filter(text => text.includes('in the bridge'))

  it('say that no debt is deducted and no cash added, and what the newest balance sheet shows', () => {
    assert.deepEqual(linesOf({ inputs: { periods: [period, earlier] } }), [
      'No interest-bearing debt is stated in the bridge from the value of all capital to that of equity, so none is deducted. The balance sheet of 2025 shows interest-bearing debt of 60000.',
      'No cash is stated in the bridge from the value of all capital to that of equity, so none is added.',
    ])
  })

  it('say nothing of what is stated, be it 0, nor where the method indicates what is valued', () => {
    const bridge = { cash: '0', interest_bearing_debt: '0' }
    assert.deepEqual(linesOf({ inputs: { periods: [period], bridge } }), [])
    assert.deepEqual(linesOf({ interest: { percent: '100', kind: 'assets' } }), [])
  })

  it('say that working capital is without the cash and the debt of the bridge', () => {
    const working_capital = { actual: '50000', normal: '45000' }
    const told = (bridge: NonNullable<ValuationDocument['inputs']['bridge']>) =>
      resultOf({ inputs: { periods: [period], bridge } }).assumptions.join('\n')
    assert.match(told({ cash: '9000', working_capital }), /working capital is without the cash and the debt/)
    assert.doesNotMatch(told({ working_capital }), /working capital is without/)
    assert.doesNotMatch(told({ cash: '9000' }), /working capital is without/)
  })

  it('say it the other way round of a method that values equity where all capital is valued', () => {
    const assets = [{ name: 'Ovens', amount: '100000' }]
    const lines = linesOf({
      interest: { percent: '100', kind: 'invested_capital' },
      methods: [{ method: 'adjusted_net_assets', assets, liabilities: [{ name: 'Loan', amount: '40000' }] }],
    })
    assert.match(lines[0] ?? '', /from the value of equity to that of all capital, so none is added/)
  })
})

describe('the assumptions about the interest', () => {
  const linesOf = (percent: string, level_of_value: ValuationDocument['level_of_value']) =>
    resultOf({
      interest: { percent, kind: 'equity' },
      level_of_value,
      inputs: {
        periods: [yearOf(2025)],
        discounts: { dloc: { control_premium: '0.25', source: 'Study', as_of: '2025-12-31' } },
      },
    }).assumptions.filter(text => /interest (?:has|is) |level of value has/.test(text))

  it('say that its level of value is not what its size suggests', () => {
    assert.match(
      linesOf('50', 'control_nonmarketable')[1] ?? '',
      /has control, although the interest is 50 percent/,
    )
    assert.match(
      linesOf('60', 'minority_nonmarketable')[1] ?? '',
      /no control, although the interest is 60 percent/,
    )
    assert.equal(linesOf('60', 'control_nonmarketable').length, 1)
    assert.equal(linesOf('40', 'minority_nonmarketable').length, 1)
  })

  it('say nothing of the whole, however its percentage is written', () => {
    assert.deepEqual(linesOf('100.00', 'control_nonmarketable'), [])
    const seventh = resultOf({ interest: { percent: '100.00', kind: 'equity' } }).factors_59_60[6]
    assert.equal(seventh?.addressed, false)
  })

  it('do not call an interest without a majority a controlling one', () => {
    const { assumptions, adjustments } = resultOf({
      interest: { percent: '30', kind: 'equity' },
      methods: [
        {
          method: 'capitalized_cash_flow',
          cash_flow: '100000',
          cash_flow_is: 'next_year',
          discount_rate: '0.2',
          growth: '0.03',
        },
      ],
    })
    const told = [...assumptions, ...adjustments.map(({ reason }) => reason)].join('\n')
    assert.doesNotMatch(told, /controlling interest|interest has control/)
  })
})

it('the limiting conditions name the purpose in words, and which methods the range covers', () => {
  const limits = resultOf({ purpose: 'buy_sell' }).limiting_conditions.join('\n')
  assert.match(limits, /for the purpose buy-sell agreement\./)
  assert.match(limits, /the values of the methods that have a weight/)
})
