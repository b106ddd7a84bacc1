import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { decimal } from '../decimal.ts'

/** What the value of an interest assumes that is not the whole, or whose level of value its size does not suggest. */
export function interestAssumptions({ interest, level_of_value }: ValuationDocument): string[] {
  const percent = decimal(interest.percent)
  const hasControl = level_of_value.startsWith('control')
  const isMajority = percent.greaterThan(50)
  return [
    ...(percent.equals(100) ? [] : ['The interest has its share of the value of the whole in proportion.']),
    ...(hasControl && !isMajority
      ? [
          `The level of value has control, although the interest is ${interest.percent} percent: its value is a share of a value with control, without a discount for lack of control.`,
        ]
      : []),
    ...(!hasControl && isMajority
      ? [
          `The level of value has no control, although the interest is ${interest.percent} percent: its value is that of an owner who cannot decide.`,
        ]
      : []),
  ]
}
