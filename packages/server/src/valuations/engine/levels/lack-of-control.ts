import type { Calculation } from '../calculation/calculation.ts'
import type { CalculationNode } from '../calculation/node.ts'
import { Decimal } from '../decimal.ts'
import { type EngineContext, InvalidDocument } from '../engine.ts'

/** What leads from a controlling interest to one without control, and back. */
export interface LackOfControl {
  /** The discount, as a ratio. */
  discount: CalculationNode
  /** 1 + the control premium. */
  premium_factor: CalculationNode
  control_premium: CalculationNode
  source: string
  as_of: string
}

/** How far the control premium may plausibly lie from the given one, as a part of it. Premiums of single deals differ more. */
const spreadOfPremium = '0.25'

/**
 * The discount for lack of control that a control premium implies: DLOC = 1 − 1 ÷ (1 + premium).
 * Source: Pratt, S. P., "Business Valuation Discounts and Premiums", 2nd ed., Wiley 2009, chapter 2.
 * Throws InvalidDocument `requires` if the document has no control premium.
 */
export function lackOfControl({ document, calc }: EngineContext): LackOfControl {
  const given = document.inputs.discounts?.dloc
  if (!given)
    throw new InvalidDocument({
      pointer: '/inputs/discounts/dloc',
      code: 'requires',
      detail:
        'A method indicates a value with another degree of control than level_of_value. Give the control premium, or set the base_level of the method.',
    })
  const { source, as_of } = given
  const premium = new Decimal(given.control_premium)
  const control_premium = calc.input(
    {
      id: 'discounts.control_premium',
      label: 'Control premium',
      unit: 'ratio',
      source,
      as_of,
      spread: around(premium, spreadOfPremium),
    },
    premium,
  )
  const whole = unity(calc)
  const premium_factor = calc.add(
    { id: 'discounts.one_plus_control_premium', label: '1 + control premium', unit: 'ratio' },
    whole,
    control_premium,
  )
  const minority = calc.divide(
    {
      id: 'discounts.minority_share_of_control',
      label: '1 ÷ (1 + control premium)',
      unit: 'ratio',
      formula: '1 ÷ (1 + control premium)',
    },
    whole,
    premium_factor,
  )
  const discount = calc.subtract(
    { id: 'discounts.dloc', label: 'Discount for lack of control', unit: 'ratio', source, as_of },
    whole,
    minority,
  )
  return { discount, premium_factor, control_premium, source, as_of }
}

/** The range of a figure that is not negative, by a part of it on both sides. */
export const around = (value: Decimal, part: string) => ({
  low: value.times(new Decimal(1).minus(part)),
  high: value.times(new Decimal(1).plus(part)),
})

/** The number 1, which the discounts share. */
const unity = (calc: Calculation): CalculationNode =>
  calc.nodes.find(({ id }) => id === 'discounts.one') ??
  calc.input({ id: 'discounts.one', label: '1', unit: 'ratio', source: 'A constant.' }, '1')
