import { decimal, type Decimal } from '../../../../src/valuations/engine/decimal.ts'

/** How often the interval is halved: the input is found to 24 places. */
const halvings = 80

/**
 * The input between 0 and `most` with which `compute` gives `target`, where it only falls or only rises. So a figure for which
 * the engine has no function is found by the engine itself.
 */
export function searched(compute: (input: string) => Decimal, target: string, most = '1'): Decimal {
  let [low, high] = [decimal('0'), decimal(most)]
  const at = (part: string) => compute(high.times(part).toFixed())
  const rises = at('0.75').greaterThan(at('0.25'))
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = low.plus(high).dividedBy(2)
    if (compute(middle.toFixed()).greaterThan(target) === rises) high = middle
    else low = middle
  }
  return low
}
