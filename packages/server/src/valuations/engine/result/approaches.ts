import type { MethodName } from '@wbs/contract/valuations/methods'
import { approaches, type ValuationResult } from '@wbs/contract/valuations/result'
import type { CalculationNode } from '../calculation/node.ts'
import type { Concluded } from '../conclude.ts'
import { moneyOf, ratioText } from '../decimal.ts'
import type { MethodOutcome } from '../engine.ts'
import { methodLabels } from '../method-labels.ts'

type Approach = ValuationResult['approaches'][number]

/** All three approaches, each with its methods. Every approach is considered; one that is not used says why. */
export function approachesOf(concluded: Concluded): Approach[] {
  return approaches.map(approach => {
    const methods = concluded.outcomes
      .filter(outcome => outcome.approach === approach)
      .map(outcome => methodResult(concluded, outcome))
    const used = methods.some(method => method.used)
    return {
      approach,
      considered: true,
      used,
      reason_rejected: used ? null : reasonWithout(concluded, approach, methods),
      methods,
    }
  })
}

function methodResult(concluded: Concluded, outcome: MethodOutcome): Approach['methods'][number] {
  const { document, reconciled } = concluded
  const found = concluded.concluded.find(method => method.outcome === outcome)
  const used = reconciled.used.some(method => method.outcome === outcome)
  const money = (node: CalculationNode | null | undefined) =>
    node ? moneyOf(node.value, document.currency) : null
  return {
    method: outcome.method,
    used,
    reason_rejected: used ? null : reasonNotUsed(outcome),
    basis_metric: outcome.basis_metric,
    basis: money(outcome.basis),
    period: outcome.period,
    multiple: outcome.multiple && ratioText(outcome.multiple.value),
    rate: outcome.rate && ratioText(outcome.rate.value),
    base_level: outcome.base_level,
    indicated: money(outcome.indicated),
    concluded: money(found?.concluded),
    is_check: outcome.is_check,
  }
}

function reasonNotUsed({ reason_rejected, is_check, indicated }: MethodOutcome): string {
  if (reason_rejected) return reason_rejected
  if (is_check) return 'It only checks the other methods.'
  return indicated ? 'Its weight is 0.' : 'It gives no value.'
}

function reasonWithout(
  { document }: Concluded,
  approach: Approach['approach'],
  methods: Approach['methods'],
): string {
  if (methods.length > 0)
    return methods
      .map(
        ({ method, reason_rejected }) =>
          `${methodLabels[method as MethodName] ?? method}: ${reason_rejected}`,
      )
      .join(' ')
  if (document.subject.type === 'portfolio')
    return 'A portfolio is valued by what it holds; each holding has a valuation of its own.'
  return document.engagement_type === 'calculation'
    ? 'The methods agreed on for this calculation have none of this approach.'
    : 'The valuation has no method of this approach.'
}
