import type { MethodName } from '@wbs/contract/valuations/methods'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { CalculationNode } from '../calculation/node.ts'
import { Decimal, moneyOf, ratioText } from '../decimal.ts'
import { type EngineContext, type MethodOutcome, Unvaluable } from '../engine.ts'
import { methodLabels } from '../method-labels.ts'

/** A method with a value of the interest. */
export interface ConcludedMethod {
  outcome: MethodOutcome
  /** After the bridge, before the levels. */
  bridged: CalculationNode
  concluded: CalculationNode
}

/** A method that counts. */
export interface UsedMethod extends ConcludedMethod {
  /** As it was given: the weights of the used methods need not add up to 1. */
  weight: Decimal
}

export interface Reconciled {
  point: CalculationNode
  /** The methods that have a weight above 0. */
  used: readonly UsedMethod[]
  reconciliation: ValuationResult['reconciliation']
}

/**
 * The point of the conclusion: Σ weight × concluded value. What a rejected method would weigh is distributed over the others in
 * proportion to their weights. Without weights, all methods count the same. `concluded` has no methods that only check others.
 * Throws Unvaluable if no method with a weight has a value.
 */
export function reconcile(context: EngineContext, concluded: readonly ConcludedMethod[]): Reconciled {
  const { document, calc } = context
  const weighted = concluded.map(method => ({
    ...method,
    weight: weightOf(context, method.outcome, concluded),
  }))
  const used = weighted.filter(({ weight }) => weight.given.greaterThan(0))
  if (used.length === 0) throw new Unvaluable(nothing)
  const products = used.map(({ outcome: { method }, concluded: value, weight }) =>
    calc.multiply(
      {
        id: `reconciliation.${method}`,
        label: `Weight × value by ${methodLabels[method]}`,
        unit: document.currency,
      },
      calc.input(
        {
          id: `reconciliation.${method}.weight`,
          label: `Weight of ${methodLabels[method]}`,
          unit: 'ratio',
          source: weight.source,
        },
        weight.given,
      ),
      value,
    ),
  )
  const total = used.reduce((sum, { weight }) => sum.plus(weight.given), new Decimal(0))
  const described = { id: 'conclusion.point', label: 'Point of the conclusion', unit: document.currency }
  const point = total.equals(1)
    ? calc.add(described, ...products)
    : calc.divide(
        described,
        calc.add(
          { id: 'reconciliation.sum', label: 'Sum of the weighted values', unit: document.currency },
          ...products,
        ),
        calc.add(
          { id: 'reconciliation.weights', label: 'Sum of the weights', unit: 'ratio' },
          ...products.map(({ inputs }) => inputs[0] as CalculationNode),
        ),
      )
  const rejected = Object.entries(document.weights ?? {})
    .filter(([method]) => !concluded.some(({ outcome }) => outcome.method === method))
    .filter(([, weight]) => new Decimal(weight ?? '0').greaterThan(0))
    .map(([method]) => methodLabels[method as MethodName])
  const reconciliation = weighted.map(({ outcome: { method }, concluded: value, weight }) => ({
    method,
    value: moneyOf(value.value, document.currency),
    weight: ratioText(weight.given.dividedBy(total)),
    rationale: rationaleOf(context, method, weight, rejected),
  }))
  return {
    point,
    used: used.map(method => ({ ...method, weight: method.weight.given })),
    reconciliation,
  }
}

interface Weight {
  given: Decimal
  source: string
}

function weightOf(
  { document }: EngineContext,
  { method }: MethodOutcome,
  all: readonly ConcludedMethod[],
): Weight {
  const { weights } = document
  if (method === 'look_through' || !weights || Object.keys(weights).length === 0)
    return {
      given: new Decimal(1),
      source: all.length === 1 ? 'The only method.' : 'All methods count the same.',
    }
  return { given: new Decimal(weights[method] ?? '0'), source: 'Stated in the valuation.' }
}

function rationaleOf(
  { document }: EngineContext,
  method: MethodOutcome['method'],
  { given, source }: Weight,
  rejected: readonly string[],
): string {
  const stated = document.methods?.find(candidate => candidate.method === method)?.rationale
  const isStated = source === 'Stated in the valuation.'
  const distributed =
    isStated && rejected.length > 0 && given.greaterThan(0)
      ? ` The weight of ${rejected.join(', ')} is distributed over the methods that have a value, in proportion to their weights.`
      : ''
  const why = isStated ? `The weight stated in the valuation is ${ratioText(given)}.` : source
  return `${stated ? `${stated} ` : ''}${why}${distributed}`
}

const nothing = 'The document gives no conclusion: the methods that have a value have the weight 0.'
