import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactText, ratioText } from '../../../../src/valuations/engine/decimal.ts'
import {
  guidelineTransactions,
  type GuidelineTransactionsMethod,
} from '../../../../src/valuations/engine/methods/guideline-transactions.ts'
import { normalize } from '../../../../src/valuations/engine/normalization/normalize.ts'
import { bakery, contextOf, type Period, year2025, yearOf } from '../bakery.ts'

const sale = (price: string, metric_amount: string, at = 1) => ({
  name: `Sale ${at}`,
  price,
  metric_amount,
  closed_on: '2025-03-31',
  source: 'Broker',
})

function valued(
  rows: ReturnType<typeof sale>[],
  change: Partial<GuidelineTransactionsMethod> = {},
  periods: Period[] = [year2025],
) {
  const method: GuidelineTransactionsMethod = {
    method: 'guideline_transactions',
    metric: 'sde',
    statistic: 'median',
    rows,
    ...change,
  }
  const context = contextOf(bakery({ methods: [method], inputs: { periods } }))
  const rates = { cost_of_equity: null, cost_of_debt: null, wacc: null }
  return guidelineTransactions(context, { normalized: normalize(context), rates }, method, '/methods/0')
}

test('The published example RATIO-01 comes out: a median price over a median cash flow', () => {
  const { multiple } = valued([sale('349250', '155921')])
  assert.equal(ratioText(multiple!.value).slice(0, 8), '2.239916')
})

test('The median and the mean of the multiples are applied to the basis', () => {
  const rows = [sale('200', '100', 1), sale('300', '100', 2), sale('700', '100', 3)]
  assert.equal(exactText(valued(rows).indicated!.value), '600000')
  assert.equal(exactText(valued(rows, { statistic: 'mean' }).indicated!.value), '800000')
})

test('Sensitivity tries the quartiles of the transactions', () => {
  const { multiple } = valued([2, 3, 4, 5, 6].map(price => sale(String(price), '1', price)))
  assert.deepEqual([exactText(multiple!.spread!.low), exactText(multiple!.spread!.high)], ['3', '5'])
})

test('Sensitivity tries 10 percent around the multiple if there is one transaction', () => {
  const { multiple } = valued([sale('200', '100')])
  assert.deepEqual([exactText(multiple!.spread!.low), exactText(multiple!.spread!.high)], ['1.8', '2.2'])
})

test('Each transaction is a source, with the day of the sale', () => {
  const { sources, basis_metric, indicates } = valued([sale('200', '100')])
  assert.deepEqual(sources, [{ figure: 'Transaction: Sale 1', source: 'Broker', as_of: '2025-03-31' }])
  assert.deepEqual([basis_metric, indicates], ['sde', 'invested_capital'])
})

test('Transactions are taken to be without cash and debt, and with the working capital of operations', () => {
  const { assumptions } = valued([sale('400000', '200000')])
  assert.match(assumptions.join(), /without cash and debt, and include the working capital/)
})

test('Transactions are not used for a figure that the statements do not give', () => {
  const period = yearOf('2025', { revenue: '100' })
  const { indicated, reason_rejected } = valued([sale('200', '100')], {}, [period])
  assert.equal(indicated, null)
  assert.match(reason_rejected ?? '', /do not give Seller's discretionary earnings/)
})
