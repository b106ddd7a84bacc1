import type { CalculationNode } from '../calculation/node.ts'
import { Decimal, moneyOf, ratioText } from '../decimal.ts'
import type { EngineContext, MethodOutcome } from '../engine.ts'
import { methodLabels } from '../method-labels.ts'
import { appliedStep, skippedStep, type Step } from '../step.ts'

/** The share of the whole that is valued, as a node that all methods share. Null if it is the whole. */
export function interestShare({ document, calc }: EngineContext): CalculationNode | null {
  const share = new Decimal(document.interest.percent).dividedBy(100)
  if (share.equals(1)) return null
  return calc.input(
    {
      id: 'interest.share',
      label: 'Share that is valued',
      unit: 'ratio',
      source: 'Stated in the valuation.',
      as_of: document.valuation_date,
    },
    share,
  )
}

/** Leads from the value of the whole to that of the interest, in proportion. */
export function interestStep(
  { document, calc }: EngineContext,
  share: CalculationNode | null,
  { method }: Pick<MethodOutcome, 'method'>,
  whole: CalculationNode,
): { value: CalculationNode; steps: Step[] } {
  if (!share)
    return {
      value: whole,
      steps: [skippedStep({ code: 'interest', method, reason: 'The whole is valued.' })],
    }
  const value = calc.multiply(
    {
      id: `${method}.after_interest`,
      label: `${methodLabels[method]}: value of the interest`,
      unit: document.currency,
    },
    whole,
    share,
  )
  const step = appliedStep({
    code: 'interest',
    method,
    reason: `The interest is ${document.interest.percent} percent.`,
    amount: moneyOf(value.value.minus(whole.value), document.currency),
    rate: ratioText(share.value),
  })
  return { value, steps: [step] }
}
