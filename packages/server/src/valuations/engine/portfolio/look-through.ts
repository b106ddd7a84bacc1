import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { CalculationNode } from '../calculation/node.ts'
import { Decimal, exactText, moneyOf, ratioText } from '../decimal.ts'
import {
  type EngineContext,
  InvalidDocument,
  type MethodOutcome,
  type ResolvedHolding,
  Unvaluable,
} from '../engine.ts'
import { notAbove0 } from '../levels/level-steps.ts'
import { appliedStep, skippedStep, type Step } from '../step.ts'
import { type Exchange, exchangeOf } from './exchange.ts'

export interface LookThrough {
  outcome: MethodOutcome
  holdings: NonNullable<ValuationResult['holdings']>
  steps: Step[]
}

/** How far the value of a holding may plausibly lie from the given one, as a part of it. */
const spread = '0.1'

/** How many holdings the sensitivity moves. */
const mostDrivers = 40

/** Portfolios that hold portfolios, at most. */
const mostLevels = 20

/** What leads from the portfolio that is valued to a holding. */
interface Way {
  path: readonly string[]
  /** The nodes of the shares and of 1 − discount, from the outermost holding on. */
  factors: readonly CalculationNode[]
}

/**
 * The value of a portfolio: the sum, over all that it holds directly or through other portfolios, of
 * value × exchange rate × shares on the way × (1 − discounts on the way).
 * Source: IFRS 13, paragraph 69 (no blockage discount is assumed; a discount is applied only where the holding names one); the
 * sum of the parts is the usual net asset value of a holding company.
 * The discount of a holding whose value is below 0 is not applied, because it would raise the value.
 * Throws InvalidDocument if a rate is missing, or a holding is valued as of a later day; Unvaluable if nothing is held; Error for a
 * portfolio that holds itself.
 */
export function lookThrough(context: EngineContext): LookThrough {
  const { document, resolved, calc } = context
  const rows: LookThrough['holdings'] = []
  const steps: Step[] = []
  const held: { value: CalculationNode; share: CalculationNode }[] = []
  const sources: MethodOutcome['sources'] = []
  const exchange = exchangeOf(context)
  const earlier = new Set<string>()
  let whole: CalculationNode | null = null
  const unity = () =>
    (whole ??= calc.input(
      { id: 'holding_discounts.one', label: '1', unit: 'ratio', source: 'A constant.' },
      '1',
    ))

  function follow(
    holdings: readonly ResolvedHolding[],
    way: Way,
    open: readonly (readonly ResolvedHolding[])[],
  ) {
    if (open.includes(holdings) || open.length > mostLevels)
      throw new Error('A portfolio holds itself, directly or through others.')
    for (const given of holdings) {
      const holding = withoutRaise(given, exchange, steps)
      // A key has no slash and no point, so that no two nodes get the same id.
      const id = `holding.${[...way.path, holding.key].join('/')}`
      const factors = [...way.factors, ...factorsOf(context, holding, id, unity)]
      const { holds } = holding
      if ('portfolio' in holds)
        follow(holds.portfolio, { path: [...way.path, holding.key], factors }, [...open, holdings])
      else hold(holding, holds, id, { ...way, factors })
    }
  }

  function hold(holding: ResolvedHolding, holds: ValuedHolding, id: string, { path, factors }: Way) {
    refuseLater(holding, holds, document.valuation_date)
    if (holds.valuation_date < document.valuation_date) earlier.add(holding.name)
    const source = `Valuation ${holds.valuation_id}.`
    sources.push({ figure: `Value of ${holding.name}`, source, as_of: holds.valuation_date })
    const given = new Decimal(holds.value.amount)
    const value = calc.input(
      {
        id,
        label: `Value of ${holding.name}`,
        unit: holds.value.currency,
        source,
        as_of: holds.valuation_date,
      },
      given,
    )
    const converted = convertedBy(exchange, context, value, id, holding.name)
    if (converted.source) sources.push(converted.source)
    const share = calc.multiply(
      { id: `${id}.share`, label: `Share of ${holding.name}`, unit: document.currency },
      converted.value,
      ...factors,
    )
    held.push({ value, share })
    const owned = productOf(factors.filter(factor => !isAfterDiscount(factor)))
    const kept = productOf(factors.filter(isAfterDiscount))
    const discount = kept.equals(1) ? null : ratioText(new Decimal(1).minus(kept))
    rows.push({
      key: holding.key,
      subject_type: holding.subject_type,
      name: holding.name,
      ownership_percent: exactText(owned.times(100).toDecimalPlaces(12)),
      value: moneyOf(given, holds.value.currency),
      converted: moneyOf(converted.value.value, document.currency),
      rate: converted.rate && ratioText(converted.rate.value),
      discount,
      share: moneyOf(share.value, document.currency),
      path: [...path],
    })
    if (discount === null) return
    const without = converted.value.value.times(owned)
    steps.push(
      appliedStep({
        code: 'holding_discount',
        method: 'look_through',
        reason: `${holding.name}: ${holding.discount?.reason ?? 'The discount of the portfolio that holds it.'}`,
        amount: moneyOf(share.value.minus(without), document.currency),
        rate: discount,
      }),
    )
  }

  follow(resolved.holdings, { path: [], factors: [] }, [])
  if (held.length === 0) throw new Unvaluable('The portfolio holds nothing that has a value.')
  makeDrivers(held)
  const indicated = calc.add(
    {
      id: 'look_through.sum',
      label: 'Sum of the holdings',
      unit: document.currency,
      formula: 'sum of all holdings',
    },
    ...held.map(({ share }) => share),
  )
  const outcome: MethodOutcome = {
    method: 'look_through',
    approach: 'asset',
    basis_metric: 'look_through',
    basis: null,
    period: null,
    multiple: null,
    rate: null,
    base_level: document.level_of_value,
    indicates: document.interest.kind === 'equity' ? 'equity' : 'invested_capital',
    indicated,
    reason_rejected: null,
    is_check: false,
    checks: [],
    sources,
    assumptions: [
      'The value of each holding is that of the whole of it, at the level of value of the conclusion; the portfolio has its share of that. Only the discounts that holdings name are deducted.',
      'The portfolio has no other assets and no debts of its own, and neither have the portfolios that it holds.',
      ...(earlier.size > 0
        ? [
            `Nothing that changes their value happened between the date of their valuation and the valuation date: ${[...earlier].join(', ')}.`,
          ]
        : []),
    ],
  }
  return { outcome, holdings: rows, steps }
}

/** The holdings of the largest shares move the conclusion most, since each may lie as far from its value as the others. */
function makeDrivers(held: readonly { value: CalculationNode; share: CalculationNode }[]): void {
  const largest = [...held].sort((first, other) =>
    other.share.value.abs().comparedTo(first.share.value.abs()),
  )
  for (const { value: node } of largest.slice(0, mostDrivers))
    node.spread = {
      low: node.value.times(new Decimal(1).minus(spread)),
      high: node.value.times(new Decimal(1).plus(spread)),
    }
}

const isAfterDiscount = ({ id }: CalculationNode) => id.endsWith('.after_discount')
const productOf = (factors: readonly CalculationNode[]) =>
  factors.reduce((product, { value }) => product.times(value), new Decimal(1))

type ValuedHolding = Exclude<ResolvedHolding['holds'], { portfolio: unknown }>

/** The holding, without its own discount if its value is below 0; then a step says so. */
function withoutRaise(holding: ResolvedHolding, exchange: Exchange, steps: Step[]): ResolvedHolding {
  const { name, discount, holds } = holding
  if (!discount || !valueOf(holds, exchange).lessThan(0)) return holding
  const reason = `${name}: ${notAbove0}`
  steps.push(skippedStep({ code: 'holding_discount', method: 'look_through', reason }))
  return { ...holding, discount: null }
}

/** The value of what is held, in the currency of the valuation: of a portfolio, what remains after the discounts in it. */
function valueOf(holds: ResolvedHolding['holds'], exchange: Exchange): Decimal {
  if ('value' in holds) {
    const { amount, currency } = holds.value
    return new Decimal(amount).times(exchange(currency)?.rate.value ?? 1)
  }
  const values = holds.portfolio.map(({ holds: below, ownership_percent, discount }) => {
    const value = valueOf(below, exchange).times(ownership_percent).dividedBy(100)
    return discount && !value.lessThan(0) ? value.times(new Decimal(1).minus(discount.rate)) : value
  })
  return values.reduce((sum, value) => sum.plus(value), new Decimal(0))
}

/** The nodes by which the value of a holding is multiplied: the share, and 1 − discount if there is one. */
function factorsOf(
  { document, calc }: EngineContext,
  { name, ownership_percent, discount }: ResolvedHolding,
  id: string,
  unity: () => CalculationNode,
): CalculationNode[] {
  const described = (part: string, label: string) => ({
    id: `${id}.${part}`,
    label: `${label} ${name}`,
    unit: 'ratio',
    source: 'Stated in the portfolio.',
    as_of: document.valuation_date,
  })
  const owned = calc.input(
    described('ownership', 'Ownership of'),
    new Decimal(ownership_percent).dividedBy(100),
  )
  if (!discount) return [owned]
  const kept = calc.subtract(
    { id: `${id}.after_discount`, label: `1 − discount of ${name}`, unit: 'ratio' },
    unity(),
    calc.input(described('discount', 'Discount of'), discount.rate),
  )
  return [owned, kept]
}

function convertedBy(
  exchange: Exchange,
  { document, calc }: EngineContext,
  value: CalculationNode,
  id: string,
  name: string,
) {
  const found = exchange(value.unit)
  if (!found) return { value, rate: null, source: null }
  const { rate, source, as_of } = found
  const converted = calc.multiply(
    { id: `${id}.converted`, label: `Value of ${name} in ${document.currency}`, unit: document.currency },
    value,
    rate,
  )
  return { value: converted, rate, source: { figure: rate.label, source, as_of } }
}

function refuseLater(
  { name }: ResolvedHolding,
  { valuation_date }: ValuedHolding,
  valuationDate: string,
): void {
  if (valuation_date > valuationDate)
    throw new InvalidDocument({
      pointer: '/valuation_date',
      code: 'out_of_range',
      detail: `${name} is valued as of ${valuation_date}, after the valuation date. Name an earlier valuation of it, or choose a later valuation date.`,
    })
}
