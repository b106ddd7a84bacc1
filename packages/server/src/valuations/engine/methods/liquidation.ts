import type { MethodOf } from '@wbs/contract/valuations/methods'
import type { CalculationNode } from '../calculation/node.ts'
import { Decimal, decimal } from '../decimal.ts'
import { InvalidDocument, type EngineContext, type MethodFunction, type MethodOutcome } from '../engine.ts'
import { makeDriver, makeDriverByTenth } from './driver.ts'
import { itemNodes, liabilitiesOf, sumOf } from './items.ts'

type Liquidation = MethodOf<'liquidation'>

const prefix = 'liquidation'

/** Ten years. A power without a bound could have billions of digits. */
const mostMonths = 120

/**
 * Liquidation: what the assets bring, less the costs of selling, discounted over the months that it takes; less liabilities.
 * V = (Σ amount × recovery − costs) ÷ (1 + r)^(months ÷ 12) − liabilities, in the currency of the document, with r a fraction a
 * year. Costs are paid as the proceeds come; liabilities count in full, because creditors do not wait. If nothing is left for the
 * owners, the method is rejected. Throws InvalidDocument if months come without a rate, or a rate without months,
 * or for more than 120 months.
 * Source: Pratt, S., and Niculita, A., "Valuing a Business", 5th edition, McGraw-Hill, 2008.
 *
 * By default it indicates a nonmarketable control value: only an owner with control can liquidate, and the recovery, the costs and
 * the months already contain what it takes to turn the business into cash, so that no further discount for that applies.
 * Source: Pratt, S., "Business Valuation Discounts and Premiums", 2nd edition, Wiley, 2009.
 */
export const liquidation: MethodFunction<Liquidation> = (context, _parts, method, at) => {
  const proceeds = proceedsOf(context, method)
  const { presentValue, rate } = discounted(context, method, proceeds, at)
  const left = context.calc.subtract(
    { id: `${prefix}.value`, label: 'Value by liquidation', unit: context.document.currency },
    presentValue,
    ...liabilitiesOf(context, prefix, method.liabilities),
  )
  const outcome: MethodOutcome = {
    method: 'liquidation',
    approach: 'asset',
    basis_metric: 'net_assets',
    basis: left,
    period: null,
    multiple: null,
    rate,
    base_level: method.base_level ?? 'control_nonmarketable',
    indicates: 'equity',
    indicated: left,
    reason_rejected: null,
    is_check: false,
    checks: [],
    sources: [],
    assumptions: [
      'Costs of selling are paid as the proceeds come, and liabilities are paid in full.',
      ...(context.document.premise_of_value.endsWith('liquidation')
        ? []
        : [
            'The value by liquidation is that of a sale of the assets, although the premise is that they stay together.',
          ]),
    ],
  }
  return left.value.greaterThan(0)
    ? outcome
    : { ...outcome, indicated: null, reason_rejected: 'The proceeds do not exceed the liabilities.' }
}

/** Σ amount × recovery − costs. */
function proceedsOf(context: EngineContext, method: Liquidation): CalculationNode {
  const { calc, document } = context
  const unit = document.currency
  const recovered = itemNodes(context, `${prefix}.asset`, method.assets).map((asset, at) =>
    calc.multiply(
      { id: `${asset.id}.proceeds`, label: `Proceeds of ${asset.label}`, unit },
      asset,
      calc.input(
        { id: `${asset.id}.recovery`, label: 'Recovery', unit: 'ratio' },
        method.assets[at]?.recovery ?? '0',
      ),
    ),
  )
  const proceeds = sumOf(context, { id: `${prefix}.proceeds`, label: 'Proceeds' }, recovered)
  makeDriverByTenth(proceeds)
  if (method.costs === undefined) return proceeds
  return calc.subtract(
    { id: `${prefix}.net_proceeds`, label: 'Proceeds after costs', unit },
    proceeds,
    calc.input({ id: `${prefix}.costs`, label: 'Costs of selling', unit }, method.costs),
  )
}

/** The present value of the proceeds: themselves if the document names neither months nor a rate. */
function discounted(
  { calc, document }: EngineContext,
  { months, discount_rate }: Liquidation,
  proceeds: CalculationNode,
  at: string,
): { presentValue: CalculationNode; rate: CalculationNode | null } {
  if (months === undefined && discount_rate === undefined) return { presentValue: proceeds, rate: null }
  if (months === undefined || discount_rate === undefined)
    throw new InvalidDocument({
      pointer: `${at}/${months === undefined ? 'months' : 'discount_rate'}`,
      code: 'requires',
      detail: 'Proceeds are discounted by months and discount_rate: give both, or none.',
    })
  if (decimal(months).greaterThan(mostMonths))
    throw new InvalidDocument({
      pointer: `${at}/months`,
      code: 'out_of_range',
      detail: `A liquidation can take at most ${mostMonths} months.`,
    })
  const rate = calc.input(
    { id: `${prefix}.discount_rate`, label: 'Discount rate', unit: 'ratio' },
    decimal(discount_rate),
  )
  makeDriver(rate, Decimal.max(rate.value.minus('0.01'), 0), rate.value.plus('0.01'))
  const constant = (name: string, label: string, unit: string) =>
    calc.input({ id: `${prefix}.${name}`, label, unit, formula: 'constant' }, label)
  const years = calc.divide(
    { id: `${prefix}.years`, label: 'Years', unit: 'years' },
    calc.input({ id: `${prefix}.months`, label: 'Months', unit: 'months' }, months),
    constant('months_a_year', '12', 'months'),
  )
  const base = calc.add(
    { id: `${prefix}.rate_factor`, label: 'Annual compound factor', unit: 'ratio' },
    constant('one', '1', 'ratio'),
    rate,
  )
  const factor = calc.power({ id: `${prefix}.factor`, label: 'Compound factor', unit: 'ratio' }, base, years)
  const presentValue = calc.divide(
    { id: `${prefix}.present_value`, label: 'Present value of the proceeds', unit: document.currency },
    proceeds,
    factor,
  )
  return { presentValue, rate }
}
