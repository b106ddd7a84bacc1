import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementChecks } from '../../../../src/valuations/engine/normalization/statement-checks.ts'
import { type Period, year2025, yearOf } from '../bakery.ts'

const balance = {
  cash: '40',
  receivables: '30',
  inventory: '25',
  fixed_assets: '120',
  intangibles: '0',
  other_assets: '5',
  total_assets: '220',
  payables: '35',
  interest_bearing_debt: '60',
  other_liabilities: '5',
  equity: '120',
}
const codes = (change: Partial<typeof balance>) =>
  statementChecks({ ...year2025, balance: { ...balance, ...change } }).map(({ code }) => code)

test('Statements that add up give no check', () => {
  assert.deepEqual(codes({}), [])
})

test('Net income that does not add up is reported with the difference', () => {
  assert.deepEqual(statementChecks(yearOf('2025', { ...year2025.income, net_income: '95000' })), [
    {
      code: 'net_income_does_not_add_up',
      period: '2025',
      reported: '95000.00',
      computed: '90000.00',
      difference: '5000.00',
    },
  ])
})

test('EBIT that is not net income with interest and taxes is reported, with other income or without', () => {
  const checks = (change: Period['income']) =>
    statementChecks(yearOf('2025', { net_income: '90', interest_expense: '10', taxes: '20', ...change }))
  assert.deepEqual(checks({ ebit: '120' }), [])
  assert.deepEqual(checks({ ebit: '115', other_income: '5' }), [])
  assert.deepEqual(checks({ ebit: '150' }), [
    {
      code: 'ebit_does_not_add_up',
      period: '2025',
      reported: '150.00',
      computed: '120.00',
      difference: '30.00',
    },
  ])
  assert.deepEqual(statementChecks(yearOf('2025', { net_income: '90', ebit: '150' })), [])
  assert.equal(statementChecks(yearOf('2025', { net_income: '90', ebit: '80' })).length, 1)
})

test('Total assets and the two sides of the balance sheet are compared', () => {
  assert.deepEqual(codes({ total_assets: '221' }), [
    'total_assets_do_not_add_up',
    'balance_sheet_does_not_balance',
  ])
  assert.deepEqual(codes({ equity: '119' }), ['balance_sheet_does_not_balance'])
})

test('A line that is absent may be the difference, so there is no check', () => {
  const { inventory: _, ...assets } = balance
  assert.deepEqual(statementChecks({ ...yearOf('2025', {}), balance: assets }), [])
  assert.deepEqual(statementChecks(yearOf('2025', { revenue: '100', net_income: '10' })), [])
})

test('Assets that are more than their total do not add up, whatever is absent', () => {
  const checks = statementChecks({ ...yearOf('2025', {}), balance: { cash: '300', total_assets: '220' } })
  assert.deepEqual(
    checks.map(({ code }) => code),
    ['total_assets_do_not_add_up'],
  )
})
