import { Decimal, decimal } from '../decimal.ts'
import type { CalculationNode } from '../calculation/node.ts'
import { InvalidDocument, type EngineContext } from '../engine.ts'
import { makeDriver } from './driver.ts'

/** How far growth may plausibly lie below and above: half a percentage point. */
const growthPoint = new Decimal('0.005')
const ratePoint = new Decimal('0.01')

/** A perpetuity that grows: the growth, 1 + growth, and the rate at which it is capitalized. */
export interface Perpetuity {
  growth: CalculationNode
  growthFactor: CalculationNode
  capitalizationRate: CalculationNode
}

/**
 * The capitalization rate k − g of cash flows that grow for ever at g and are discounted at k. Both are drivers; their spreads
 * leave at least a third of k − g, so that no combination of them has a value without end. Throws InvalidDocument if growth is
 * not below the rate, or is not above −1.
 * Sources: Gordon, M., and Shapiro, E., "Capital Equipment Analysis: The Required Rate of Profit", Management Science 3(1),
 * 1956; Pratt, S., and Grabowski, R., "Cost of Capital: Applications and Examples", 5th edition, Wiley, 2014.
 */
export function perpetuity(
  { calc }: EngineContext,
  prefix: string,
  rate: CalculationNode,
  given: string,
  pointer: string,
): Perpetuity {
  const distance = rate.value.minus(decimal(given))
  if (distance.lessThanOrEqualTo(0))
    throw new InvalidDocument({
      pointer,
      code: 'out_of_range',
      detail: 'The growth must be below the discount rate.',
    })
  if (decimal(given).lessThanOrEqualTo(-1))
    throw new InvalidDocument({ pointer, code: 'out_of_range', detail: 'The growth must be above -1.' })
  const third = distance.dividedBy(3)
  const growth = calc.input({ id: `${prefix}.growth`, label: 'Growth', unit: 'ratio' }, given)
  makeDriver(
    growth,
    Decimal.max(growth.value.minus(growthPoint), -1),
    growth.value.plus(Decimal.min(growthPoint, third)),
  )
  makeDriver(rate, rate.value.minus(Decimal.min(ratePoint, third)), rate.value.plus(ratePoint))
  const unity = calc.input({ id: `${prefix}.one`, label: '1', unit: 'ratio', formula: 'constant' }, '1')
  return {
    growth,
    growthFactor: calc.add(
      { id: `${prefix}.growth_factor`, label: 'Growth factor', unit: 'ratio' },
      unity,
      growth,
    ),
    capitalizationRate: calc.subtract(
      { id: `${prefix}.capitalization_rate`, label: 'Capitalization rate', unit: 'ratio' },
      rate,
      growth,
    ),
  }
}
