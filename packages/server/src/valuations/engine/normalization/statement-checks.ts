import { amountText, Decimal, decimal } from '../decimal.ts'
import type { Check } from '../engine.ts'
import type { Period } from './statement-lines.ts'

const costLines = [
  'cost_of_sales',
  'operating_expenses',
  'owner_compensation',
  'depreciation',
  'amortization',
  'interest_expense',
  'taxes',
] as const
const assetLines = [
  'cash',
  'receivables',
  'inventory',
  'fixed_assets',
  'intangibles',
  'other_assets',
] as const
const claimLines = ['payables', 'interest_bearing_debt', 'other_liabilities', 'equity'] as const

/** A check if the two amounts differ. `difference` is reported less computed. */
export function checkOf(code: Check['code'], period: string, reported: Decimal, computed: Decimal): Check[] {
  if (reported.equals(computed)) return []
  return [
    {
      code,
      period,
      reported: amountText(reported),
      computed: amountText(computed),
      difference: amountText(reported.minus(computed)),
    },
  ]
}

/** What does not add up in the statements of a period, as they were reported, before adjustments. */
export const statementChecks = (period: Period): Check[] => [
  ...incomeCheck(period),
  ...ebitCheck(period),
  ...totalCheck(period),
  ...balanceCheck(period),
]

/** Without revenue, operating expenses or net income there is nothing to add up. Other lines that are absent count as 0. */
function incomeCheck({ key, income }: Period): Check[] {
  if (!income?.revenue || !income.operating_expenses || !income.net_income) return []
  const computed = costLines.reduce(
    (rest, line) => rest.minus(income[line] ?? 0),
    decimal(income.revenue).plus(income.other_income ?? 0),
  )
  return checkOf('net_income_does_not_add_up', key, decimal(income.net_income), computed)
}

/**
 * EBIT is used as it is given, so the result says if it is not net income + interest + taxes. Some statements leave other income
 * out of EBIT, which is no difference. Interest or taxes that are absent may be what is missing.
 */
function ebitCheck({ key, income }: Period): Check[] {
  if (!income?.ebit || !income.net_income) return []
  const ebit = decimal(income.ebit)
  const whole = Boolean(income.interest_expense && income.taxes)
  const computed = decimal(income.net_income)
    .plus(income.interest_expense ?? 0)
    .plus(income.taxes ?? 0)
  if (ebit.equals(computed.minus(income.other_income ?? 0))) return []
  return whole || computed.greaterThan(ebit) ? checkOf('ebit_does_not_add_up', key, ebit, computed) : []
}

function totalCheck({ key, balance }: Period): Check[] {
  if (!balance?.total_assets) return []
  const { sum, whole } = summed(balance, assetLines)
  const total = decimal(balance.total_assets)
  return whole || sum.greaterThan(total) ? checkOf('total_assets_do_not_add_up', key, total, sum) : []
}

function balanceCheck({ key, balance }: Period): Check[] {
  if (!balance?.total_assets || !balance.equity) return []
  const { sum, whole } = summed(balance, claimLines)
  const total = decimal(balance.total_assets)
  return whole || sum.greaterThan(total) ? checkOf('balance_sheet_does_not_balance', key, total, sum) : []
}

/** A line that is absent may be what is missing from the sum, so the sum is compared only if it is whole or too large. */
function summed(balance: NonNullable<Period['balance']>, lines: readonly (keyof typeof balance)[]) {
  const given = lines.flatMap(line => balance[line] ?? [])
  return {
    sum: given.reduce((sum, amount) => sum.plus(amount), new Decimal(0)),
    whole: given.length === lines.length,
  }
}
