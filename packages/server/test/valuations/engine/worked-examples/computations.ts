import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { ValuationInputs } from '@wbs/contract/valuations/inputs'
import type { MethodOf, ValuationMethod } from '@wbs/contract/valuations/methods'
import { costOfCapital } from '../../../../src/valuations/engine/cost-of-capital/cost-of-capital.ts'
import { decimal, type Decimal } from '../../../../src/valuations/engine/decimal.ts'
import { capitalizedCashFlow } from '../../../../src/valuations/engine/methods/capitalized-cash-flow.ts'
import { discountedCashFlow } from '../../../../src/valuations/engine/methods/discounted-cash-flow.ts'
import { excessEarnings } from '../../../../src/valuations/engine/methods/excess-earnings.ts'
import { guidelineTransactions } from '../../../../src/valuations/engine/methods/guideline-transactions.ts'
import { multipleMethod } from '../../../../src/valuations/engine/methods/multiples.ts'
import { normalize } from '../../../../src/valuations/engine/normalization/normalize.ts'
import { valueOfOneShare } from '../../../../src/valuations/engine/result/result-of.ts'
import { concludeDocument } from '../../../../src/valuations/engine/value-document.ts'
import type { Level } from '../../../../src/valuations/engine/engine.ts'
import { contextOf, documentWith } from '../engine-context.ts'
import { computedBy } from '../methods/computed-by.ts'
import { searched } from './searched.ts'

/** The inputs of an example, by their names in the file. */
export type Inputs = Record<string, string | number | boolean | number[]>

/** A figure of an example as a document has it: the first of the names that the example uses. */
function figure(inputs: Inputs, ...names: string[]): string {
  const name = names.find(one => one in inputs)
  if (name === undefined) throw new Error(`The example has none of ${names.join(', ')}.`)
  return String(inputs[name])
}

const capitalized = (change: Partial<MethodOf<'capitalized_cash_flow'>>) =>
  computedBy(capitalizedCashFlow, {
    method: 'capitalized_cash_flow',
    cash_flow: '1',
    cash_flow_is: 'next_year',
    discount_rate: '0.1',
    growth: '0',
    ...change,
  }).value()

/** P = D1 ÷ (r − g), or D0 × (1 + g) ÷ (r − g). */
const gordon = (inputs: Inputs) =>
  capitalized({
    cash_flow: figure(inputs, 'd0', 'd1'),
    cash_flow_is: 'd0' in inputs ? 'base_year' : 'next_year',
    discount_rate: figure(inputs, 'required'),
    growth: figure(inputs, 'growth'),
  })

const cashFlowsOf = (inputs: Inputs): string[] => [inputs['fcf'] ?? inputs['fcff'] ?? []].flat().map(String)

const discountedMethod = (inputs: Inputs) =>
  ({
    method: 'discounted_cash_flow',
    cash_flows: cashFlowsOf(inputs),
    discount_rate: figure(inputs, 'wacc'),
    terminal: { kind: 'gordon', growth: figure(inputs, 'terminal_growth', 'growth') },
  }) as const

/** A figure of a discounted cash flow. */
const discounted = (id: string) => (inputs: Inputs) =>
  computedBy(discountedCashFlow, discountedMethod(inputs)).figure(`discounted_cash_flow.${id}`)

/** A figure of the cost of capital. */
function costOf(id: string, cost_of_capital: NonNullable<ValuationInputs['cost_of_capital']>): Decimal {
  const context = contextOf(documentWith({ inputs: { cost_of_capital } }))
  costOfCapital(context)
  const node = context.calc.nodes.find(one => one.id === `cost_of_capital.${id}`)
  if (!node) throw new Error(`The cost of capital has no figure ${id}.`)
  return node.value
}

const buildUp = (inputs: Inputs) =>
  costOf('cost_of_equity', {
    equity: {
      model: 'build_up',
      risk_free: figure(inputs, 'risk_free', 'safe_rate'),
      equity_risk_premium: figure(inputs, 'erp', 'risk'),
      size_premium: 'size' in inputs ? figure(inputs, 'size') : '0',
      company_specific: figure(inputs, 'company_specific', 'illiquidity'),
    },
  })

const marketOf = (inputs: Inputs) => ({
  model: 'capm' as const,
  risk_free: 'risk_free' in inputs ? figure(inputs, 'risk_free') : '0.04',
  equity_risk_premium: 'erp' in inputs ? figure(inputs, 'erp') : '0.05',
})

const leverOf = (inputs: Inputs) => ({
  debt_equity: figure(inputs, 'debt_equity'),
  tax_rate: figure(inputs, 'tax'),
})

const wacc = (inputs: Inputs) =>
  costOf('wacc', {
    equity: { model: 'stated', rate: figure(inputs, 'ke') },
    debt:
      'kd' in inputs
        ? { pre_tax: figure(inputs, 'kd'), tax_rate: figure(inputs, 'tax') }
        : { after_tax: figure(inputs, 'kd_aftertax') },
    weights: { equity: figure(inputs, 'e'), debt: figure(inputs, 'd') },
  })

type Adjustment = NonNullable<ValuationInputs['adjustments']>[number]
type Income = NonNullable<NonNullable<ValuationInputs['periods']>[number]['income']>

/** The inputs of a document with one year and adjustments of it. */
const yearWith = (
  income: Income,
  adjustments: Pick<Adjustment, 'line' | 'kind' | 'amount' | 'replacement_cost'>[] = [],
): ValuationInputs => ({
  periods: [{ key: '2025', start: '2025-01-01', end: '2025-12-31', basis: 'tax_return', income }],
  adjustments: adjustments.map((one, at) => ({ key: `a${at + 1}`, period: '2025', ...one })),
})

function normalized(metric: 'sde' | 'ebitda', inputs: ValuationInputs): Decimal {
  const node = normalize(contextOf(documentWith({ inputs }))).periods[0]?.[metric]
  if (!node) throw new Error(`The statements do not give ${metric}.`)
  return node.value
}

const addedBack = (amount: string) => ({ line: 'operating_expenses', kind: 'discretionary', amount }) as const

/** What an owner's pay, replaced by that of a manager, leaves of the profit. */
const recast = (inputs: Inputs) =>
  normalized(
    'ebitda',
    yearWith({ net_income: figure(inputs, 'net_profit') }, [
      {
        line: 'owner_compensation',
        kind: 'owner_compensation',
        amount: figure(inputs, 'officer_salary'),
        replacement_cost: figure(inputs, 'replacement_salary'),
      },
      addedBack(figure(inputs, 'discretionary')),
    ]),
  )

const sde = (inputs: Inputs) =>
  normalized(
    'sde',
    yearWith(
      { net_income: figure(inputs, 'net_profit'), owner_compensation: figure(inputs, 'owner_salary') },
      [addedBack(figure(inputs, 'add_backs'))],
    ),
  )

const multipleOf = (metric: 'sde' | 'revenue') => (inputs: Inputs) =>
  computedBy(
    multipleMethod,
    { method: `${metric}_multiple`, multiple: figure(inputs, 'multiple') },
    {
      inputs: yearWith(
        metric === 'sde' ? { net_income: figure(inputs, 'sde') } : { revenue: figure(inputs, 'revenue') },
      ),
    },
  ).value()

/** The multiple of one transaction. */
function multipleFromPrice(inputs: Inputs): Decimal {
  const metric_amount = figure(inputs, 'cash_flow')
  const { outcome } = computedBy(
    guidelineTransactions,
    {
      method: 'guideline_transactions',
      metric: 'sde',
      statistic: 'median',
      rows: [
        {
          name: 'Medians',
          price: figure(inputs, 'price'),
          metric_amount,
          closed_on: '2026-03-31',
          source: 'BizBuySell',
        },
      ],
    },
    { inputs: yearWith({ net_income: metric_amount }) },
  )
  if (!outcome.multiple) throw new Error(String(outcome.reason_rejected))
  return outcome.multiple.value
}

/** The point of the conclusion of a whole document, before it is rounded. */
const pointOf = (document: ValuationDocument): Decimal =>
  concludeDocument(document, contextOf(document).resolved).reconciled.point.value

/** A whole document that leads from discounted cash flow to equity. */
const bridged = (inputs: Inputs): ValuationDocument =>
  documentWith({
    interest: { percent: '100', kind: 'equity' },
    methods: [discountedMethod(inputs)],
    inputs: {
      bridge: {
        interest_bearing_debt: figure(inputs, 'debt'),
        ...('cash' in inputs && { cash: figure(inputs, 'cash') }),
        ...('shares' in inputs && { shares: figure(inputs, 'shares') }),
      },
    },
  })

function perShare(inputs: Inputs): Decimal {
  const document = bridged(inputs)
  const value = valueOfOneShare(document, pointOf(document))
  if (!value) throw new Error('The document has no shares.')
  return value
}

/** What discounts take off an asset worth 1 that is sold with control, on a market. */
function discountOf(level_of_value: Level, discounts: ValuationInputs['discounts']): Decimal {
  const methods: ValuationMethod[] = [
    { method: 'adjusted_net_assets', assets: [{ name: 'Asset', amount: '1' }] },
  ]
  const interest = { percent: '100', kind: 'equity' as const }
  const document = documentWith({ level_of_value, interest, methods, inputs: { discounts: discounts ?? {} } })
  return decimal('1').minus(pointOf(document))
}

/** Both discounts. The control premium is the one that gives the discount for lack of control of the example. */
function combinedDiscounts(inputs: Inputs): Decimal {
  const cited = { source: 'The example', as_of: '2026-01-01' }
  const dlocOf = (control_premium: string) => ({ dloc: { control_premium, ...cited } })
  const control_premium = searched(
    premium => discountOf('minority_marketable', dlocOf(premium)),
    figure(inputs, 'dloc'),
  ).toFixed()
  return discountOf('minority_nonmarketable', {
    ...dlocOf(control_premium),
    dlom: { model: 'cited_study', rate: figure(inputs, 'dlom'), ...cited },
  })
}

/** What 1 at the end of the last year is worth today: the factor of the last of so many years. */
function discountFactor(inputs: Inputs): Decimal {
  const years = Number(figure(inputs, 'years'))
  return computedBy(discountedCashFlow, {
    method: 'discounted_cash_flow',
    cash_flows: [...Array(years - 1).fill('0'), '1'],
    discount_rate: figure(inputs, 'rate'),
    terminal: { kind: 'exit_multiple', metric_amount: '0', multiple: '0' },
  }).value()
}

/** How each example is computed, by its method and the metric of its result. */
export const computations: Readonly<Record<string, (inputs: Inputs) => Decimal>> = {
  'capitalization_of_earnings value': inputs =>
    capitalized({
      cash_flow: figure(inputs, 'earnings'),
      cash_flow_is: inputs['grow_numerator'] ? 'base_year' : 'next_year',
      discount_rate: figure(inputs, 'discount_rate'),
      growth: figure(inputs, 'growth'),
    }),
  // The engine has no method for it: it is the rate at which earnings of 1 without growth are worth the price.
  'capitalization_rate capitalization_rate': inputs =>
    searched(discount_rate => capitalized({ discount_rate }), figure(inputs, 'price_earnings')),
  'build_up_rate discount_rate': buildUp,
  'build_up_rate cost_of_equity': buildUp,
  'recast_earnings adjusted_profit': recast,
  'gordon_growth price': gordon,
  // The engine has no method for it: it is the growth with which the engine comes to the price.
  'gordon_growth_implied_g growth': inputs =>
    searched(growth => gordon({ ...inputs, growth }), figure(inputs, 'price'), figure(inputs, 'required')),
  'dcf_gordon_terminal terminal_value': discounted('terminal'),
  'dcf_gordon_terminal pv_terminal': discounted('terminal.present_value'),
  'dcf_gordon_terminal pv_explicit': discounted('explicit'),
  'dcf_gordon_terminal enterprise_value': discounted('value'),
  'terminal_value terminal_value': discounted('terminal'),
  'ev_to_equity_bridge value_per_share': perShare,
  'ev_to_equity_bridge equity_value': inputs => pointOf(bridged(inputs)),
  'wacc wacc': wacc,
  'unlever_beta beta_unlevered': inputs =>
    costOf('peer.1.unlevered_beta', {
      equity: {
        ...marketOf(inputs),
        beta: {
          peers: [{ levered: figure(inputs, 'beta'), ...leverOf(inputs) }],
          debt_equity: '0',
          tax_rate: '0',
        },
      },
    }),
  'relever_beta beta_levered': inputs =>
    costOf('beta', {
      equity: {
        ...marketOf(inputs),
        beta: { unlevered: figure(inputs, 'beta_unlevered'), ...leverOf(inputs) },
      },
    }),
  'capm cost_of_equity': inputs =>
    costOf('cost_of_equity', { equity: { ...marketOf(inputs), beta: { levered: figure(inputs, 'beta') } } }),
  'sde sde': sde,
  'sde_multiple value': multipleOf('sde'),
  'revenue_multiple value': multipleOf('revenue'),
  'revenue_multiple_range value_low': multipleOf('revenue'),
  'multiple_from_price multiple': multipleFromPrice,
  'excess_earnings value': inputs =>
    computedBy(excessEarnings, {
      method: 'excess_earnings',
      earnings: figure(inputs, 'earnings'),
      net_tangible_assets: figure(inputs, 'net_tangible_assets'),
      tangible_return: figure(inputs, 'tangible_return'),
      intangible_rate: figure(inputs, 'cap_rate_intangible'),
    }).value(),
  'combined_discounts combined_discount': combinedDiscounts,
  'discount_factor factor': discountFactor,
}
