import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { Concluded } from '../conclude.ts'
import { decimal } from '../decimal.ts'

type Factor = ValuationResult['factors_59_60'][number]

/**
 * The eight factors of Rev. Rul. 59-60, 1959-1 C.B. 237, section 4.01, in other words, and where the valuation addresses each. It
 * only says so of what the engine computed; what a person writes in the report is not known here.
 */
export function factorsOf(concluded: Concluded): Factor[] {
  const { document, normalized, steps, reconciled } = concluded
  const { periods = [], bridge } = document.inputs
  const weighs = (approach: string) => reconciled.used.some(({ outcome }) => outcome.approach === approach)
  const has = (...methods: string[]) =>
    concluded.concluded.some(method => methods.includes(method.outcome.method))
  const withBalance = periods.filter(({ balance }) => balance && Object.keys(balance).length > 0)
  const isApplied = (code: string) => steps.some(step => step.code === code && step.applied)
  const checksGoodwill = concluded.outcomes.some(
    ({ method, indicated }) => method === 'excess_earnings' && indicated,
  )
  const factor = (text: string, found: string | null, missing: string): Omit<Factor, 'order'> => ({
    factor: text,
    addressed: found !== null,
    note: found ?? missing,
  })
  const list = [
    factor(
      'The nature of the business and its history from the beginning',
      periods.length > 1
        ? `The statements of ${periods.length} periods show its recent history. The nature of the business is not described.`
        : null,
      'The valuation does not describe the business or its history.',
    ),
    factor(
      'The outlook of the economy in general, and of the industry',
      has('discounted_cash_flow', 'capitalized_cash_flow')
        ? 'The growth and the discount rate of the income approach stand for it. It is not described.'
        : null,
      'The valuation says nothing about the outlook.',
    ),
    factor(
      'The book value of the stock and the financial condition of the business',
      withBalance.length > 0
        ? `The balance sheets of ${keysOf(withBalance)}.`
        : has('adjusted_net_assets', 'liquidation')
          ? 'The asset approach lists assets and liabilities.'
          : null,
      'The valuation has no balance sheet.',
    ),
    factor(
      'The earning capacity of the company',
      normalized.earnings.length > 0
        ? `The normalized earnings of ${keysOf(normalized.earnings.map(({ period }) => ({ key: period })))}.`
        : null,
      'The valuation has no earnings.',
    ),
    factor(
      'The capacity to pay dividends',
      normalized.periods.some(({ net_cash_flow }) => net_cash_flow)
        ? 'The net cash flow, out of which dividends can be paid. Dividends that were paid are not stated.'
        : null,
      'The valuation has no net cash flow and no dividends.',
    ),
    factor(
      'Goodwill, and other intangible value',
      checksGoodwill
        ? 'The excess earnings show what earnings above a return on tangible assets are worth.'
        : weighs('income') || weighs('market')
          ? 'It is part of the value by the income or the market approach, and not valued by itself.'
          : null,
      'The asset approach values only what it lists.',
    ),
    factor(
      'Sales of the stock, and the size of the block that is valued',
      isApplied('dloc') || isApplied('control_premium') || !decimal(document.interest.percent).equals(100)
        ? `The interest of ${document.interest.percent} percent and its level of value. Earlier sales of the stock are not stated.`
        : bridge?.shares !== undefined
          ? 'All shares are valued. Earlier sales of the stock are not stated.'
          : null,
      'The whole is valued. Earlier sales of the stock are not stated.',
    ),
    factor(
      'The market price of the stock of similar companies that are actively traded',
      null,
      weighs('market')
        ? 'The market approach uses prices at which businesses were sold. Prices of traded stock are not stated.'
        : 'The valuation has no market approach.',
    ),
  ]
  return list.map((factor, at) => ({ order: at + 1, ...factor }))
}

const keysOf = (periods: readonly { key: string }[]) => periods.map(({ key }) => key).join(', ')
