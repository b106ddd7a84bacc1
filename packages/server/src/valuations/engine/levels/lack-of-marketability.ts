import type { CalculationNode } from '../calculation/node.ts'
import { Decimal } from '../decimal.ts'
import { type EngineContext, InvalidDocument } from '../engine.ts'
import { around } from './lack-of-control.ts'
import { chaffeDiscount, finnertyDiscount } from './option-discounts.ts'

export interface LackOfMarketability {
  /** The discount, as a ratio. */
  discount: CalculationNode
  source: string
  as_of: string | null
}

const pointer = '/inputs/discounts/dlom'

/** How far volatility and the rate of a study may plausibly lie from the given figure, as a part of it. */
const spread = { volatility: '0.2', study: '0.2' }

/**
 * The discount for lack of marketability that the document describes: by an option model, or from a study.
 * Throws InvalidDocument: `requires` without one, `out_of_range` if its figures give no discount from 0 to 1.
 */
export function lackOfMarketability(context: EngineContext): LackOfMarketability {
  const given = context.document.inputs.discounts?.dlom
  if (!given)
    throw new InvalidDocument({
      pointer,
      code: 'requires',
      detail:
        'A method indicates a marketable value, and level_of_value is nonmarketable. Give the discount for lack of marketability, or set the base_level of the method.',
    })
  const found = given.model === 'cited_study' ? ofStudy(context, given) : ofOption(context, given)
  if (found.discount.value.isNegative() || found.discount.value.greaterThanOrEqualTo(1))
    throw new InvalidDocument({
      pointer,
      code: 'out_of_range',
      detail: 'The discount for lack of marketability must be at least 0 and below 1.',
    })
  return found
}

type Dlom = NonNullable<NonNullable<EngineContext['document']['inputs']['discounts']>['dlom']>
type Study = Extract<Dlom, { model: 'cited_study' }>
type Option = Exclude<Dlom, Study>

function ofStudy({ calc }: EngineContext, { rate, source, as_of }: Study): LackOfMarketability {
  const value = new Decimal(rate)
  const { low, high } = around(value, spread.study)
  const discount = calc.input(
    {
      id: 'discounts.dlom',
      label: 'Discount for lack of marketability',
      unit: 'ratio',
      source,
      as_of,
      spread: { low, high: Decimal.min(high, '0.99') },
    },
    value,
  )
  return { discount, source, as_of }
}

function ofOption({ document, calc }: EngineContext, given: Option): LackOfMarketability {
  refuseExtremes(given)
  const as_of = document.valuation_date
  const describe = (id: string, label: string, unit: string) => ({
    id: `discounts.dlom.${id}`,
    label,
    unit,
    source: 'Stated in the valuation.',
    as_of,
  })
  const volatility = new Decimal(given.volatility)
  const figures = {
    volatility: calc.input(
      {
        ...describe('volatility', 'Volatility σ of the shares', 'ratio'),
        spread: around(volatility, spread.volatility),
      },
      volatility,
    ),
    years: calc.input(describe('years', 'Holding period T', 'years'), given.years),
    dividend_yield: calc.input(
      describe('dividend_yield', 'Dividend yield q', 'ratio'),
      given.dividend_yield ?? '0',
    ),
  }
  if (given.model === 'finnerty')
    return { discount: finnertyDiscount(calc, figures), source: 'Finnerty (2012), average-strike put', as_of }
  if (given.risk_free === undefined)
    throw new InvalidDocument({
      pointer: `${pointer}/risk_free`,
      code: 'required',
      detail: 'The model chaffe needs the risk-free rate.',
    })
  const risk_free = calc.input(describe('risk_free', 'Risk-free rate r', 'ratio'), given.risk_free)
  return {
    discount: chaffeDiscount(calc, { ...figures, risk_free }),
    source: 'Chaffe (1993), European put at the money',
    as_of,
  }
}

/** Outside of these limits, where no real share is, the formulas overflow or lose their digits in the draws of the sensitivity. */
function refuseExtremes({ volatility, years, risk_free, dividend_yield }: Option): void {
  const variance = new Decimal(volatility).pow(2).times(years)
  const refused = (field: string, detail: string) =>
    new InvalidDocument({ pointer: `${pointer}/${field}`, code: 'out_of_range', detail })
  if (variance.lessThan('0.0001') || variance.greaterThan(100))
    throw refused('volatility', 'volatility² × years must be from 0.0001 to 100.')
  for (const [field, rate] of Object.entries({ risk_free, dividend_yield }))
    if (rate !== undefined && new Decimal(rate).times(years).abs().greaterThan(20))
      throw refused(field, `${field} × years must be at most 20.`)
}
