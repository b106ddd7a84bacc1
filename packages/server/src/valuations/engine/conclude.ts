import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { methodNames, type ValuationMethod } from '@wbs/contract/valuations/methods'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import { bridgeFigures, bridgeSteps } from './bridge/bridge.ts'
import { interestShare, interestStep } from './bridge/interest.ts'
import { createCalculation, storedCalculation, Uncomputable } from './calculation/calculation.ts'
import type { StoredNode } from './calculation/node.ts'
import { costOfCapital } from './cost-of-capital/cost-of-capital.ts'
import {
  type CostOfCapitalNodes,
  type EngineContext,
  InvalidDocument,
  type MethodOutcome,
  type Normalized,
  type Resolved,
  Unvaluable,
} from './engine.ts'
import { discountsOf, levelSteps } from './levels/level-steps.ts'
import { methodLabels } from './method-labels.ts'
import { computeMethod } from './methods/compute-method.ts'
import { normalize } from './normalization/normalize.ts'
import type { Checking } from './reconciliation/excess-earnings-check.ts'
import { type LookThrough, lookThrough } from './portfolio/look-through.ts'
import { type ConcludedMethod, reconcile, type Reconciled } from './reconciliation/reconcile.ts'
import type { Step } from './step.ts'

/** All that leads to the point of a conclusion. */
export interface Concluded {
  document: ValuationDocument
  resolved: Resolved
  normalized: Normalized
  rates: CostOfCapitalNodes
  /** In the order in which a report shows them. */
  outcomes: readonly MethodOutcome[]
  /** Those that have a value, without checks. */
  concluded: readonly ConcludedMethod[]
  /** Those that only check the others, and have a value. */
  checking: readonly Checking[]
  steps: readonly Step[]
  holdings: ValuationResult['holdings']
  reconciled: Reconciled
  /** What leads to the point, which is the last node. */
  calculation: StoredNode[]
}

/**
 * Computes the point of the conclusion of a document without faults. Throws InvalidDocument for what shows only in the course of
 * the calculation, and Unvaluable.
 */
export function conclude(document: ValuationDocument, resolved: Resolved): Concluded {
  const calc = createCalculation()
  const context: EngineContext = { document, resolved, calc }
  const figures = computing('/inputs', () => ({
    normalized: normalize(context),
    rates: costOfCapital(context),
  }))
  const isPortfolio = document.subject.type === 'portfolio'
  const portfolio = isPortfolio ? computing('/inputs/fx', () => lookThrough(context)) : null
  const outcomes = portfolio ? [portfolio.outcome] : methodsOf(context, figures)
  const applied = computing('/inputs', () => applySteps(context, outcomes, portfolio))
  refuseWithoutValue(outcomes, applied.concluded)
  const reconciled = computing('/weights', () => reconcile(context, applied.concluded))
  const calculation = storedCalculation(reconciled.point, calc.nodes)
  const holdings = portfolio?.holdings ?? null
  return { document, resolved, ...figures, outcomes, ...applied, holdings, reconciled, calculation }
}

function methodsOf(
  context: EngineContext,
  figures: Pick<Concluded, 'normalized' | 'rates'>,
): MethodOutcome[] {
  const given = context.document.methods ?? []
  if (given.length === 0) throw new Unvaluable('The document has no methods.')
  return methodNames.flatMap(name => {
    const at = given.findIndex(({ method }) => method === name)
    if (at === -1) return []
    const method = given[at] as ValuationMethod
    const pointer = `/methods/${at}`
    return [computing(pointer, () => computeMethod(context, figures, method, pointer))]
  })
}

/** From what each method indicates to the value of the interest: first the bridge, then the levels, then the share. */
function applySteps(
  context: EngineContext,
  outcomes: readonly MethodOutcome[],
  portfolio: LookThrough | null,
): Pick<Concluded, 'concluded' | 'checking' | 'steps'> {
  const bridge = bridgeFigures(context)
  const discounts = discountsOf(context)
  const share = interestShare(context)
  const steps: Step[] = portfolio ? [...portfolio.steps] : []
  const checking: Checking[] = []
  const concluded = outcomes.flatMap(outcome => {
    if (!outcome.indicated) return []
    const at = `/methods/${context.document.methods?.findIndex(({ method }) => method === outcome.method)}`
    const bridged = bridgeSteps(context, bridge, outcome, outcome.indicated)
    if (outcome.is_check) {
      checking.push({ outcome, bridged: bridged.value })
      return []
    }
    const leveled = levelSteps(context, discounts, outcome, bridged.value, at)
    const whole = interestStep(context, share, outcome, leveled.value)
    steps.push(...bridged.steps, ...leveled.steps, ...whole.steps)
    return [{ outcome, bridged: bridged.value, concluded: whole.value }]
  })
  return { concluded, checking, steps }
}

function refuseWithoutValue(outcomes: readonly MethodOutcome[], concluded: readonly ConcludedMethod[]): void {
  if (concluded.length > 0) return
  const reasons = outcomes.map(
    ({ method, reason_rejected, is_check }) =>
      `${methodLabels[method]}: ${reason_rejected ?? (is_check ? 'It only checks other methods.' : 'It gives no value.')}`,
  )
  throw new Unvaluable(`No method gives a value. ${reasons.join(' ')}`)
}

/** What cannot be computed from the figures is a fault of the document. */
function computing<Found>(pointer: string, compute: () => Found): Found {
  try {
    return compute()
  } catch (error) {
    if (!(error instanceof Uncomputable)) throw error
    throw new InvalidDocument({ pointer, code: 'out_of_range', detail: error.message })
  }
}
