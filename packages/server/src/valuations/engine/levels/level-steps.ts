import type { CalculationNode } from '../calculation/node.ts'
import { moneyOf, ratioText } from '../decimal.ts'
import { type EngineContext, InvalidDocument, type Level, type MethodOutcome } from '../engine.ts'
import { methodLabels } from '../method-labels.ts'
import { appliedStep, skippedStep, type Step } from '../step.ts'
import { type LackOfControl, lackOfControl } from './lack-of-control.ts'
import { type LackOfMarketability, lackOfMarketability } from './lack-of-marketability.ts'

/** The discounts of a document, computed when the first method needs them. All methods share their nodes. */
export interface Discounts {
  control(): LackOfControl
  marketability(): LackOfMarketability
}

export function discountsOf(context: EngineContext): Discounts {
  let control: LackOfControl | null = null
  let marketability: LackOfMarketability | null = null
  return {
    control: () => (control ??= lackOfControl(context)),
    marketability: () => (marketability ??= lackOfMarketability(context)),
  }
}

/** A value on its way from the level of the method to that of the conclusion. */
interface Stepped {
  value: CalculationNode
  step: Step
}

type Leveled = Pick<MethodOutcome, 'method' | 'base_level'>

/**
 * Leads from the level of value of a method to that of the conclusion: first for control, then for marketability, by
 * multiplication. A discount applies only where the levels differ, and only to a value above 0, which it would raise otherwise.
 * Source: Pratt, S. P., "Business Valuation Discounts and Premiums", 2nd ed., Wiley 2009, chapter 1 (levels of value, and why
 * discounts multiply).
 * A controlling interest without a given discount for lack of marketability has none (the same book, chapter on controlling
 * interests: practice is divided); the result says so.
 * `at` is the pointer of the method. Throws InvalidDocument: if another discount is missing, and for a step from a nonmarketable to a
 * marketable value, for which there is no accepted premium.
 */
export function levelSteps(
  context: EngineContext,
  discounts: Discounts,
  outcome: Leveled,
  value: CalculationNode,
  at: string,
): { value: CalculationNode; steps: Step[] } {
  const control = controlStep(context, discounts, outcome, value)
  const marketability = marketabilityStep(context, discounts, outcome, control.value, at)
  return { value: marketability.value, steps: [control.step, marketability.step] }
}

const hasControl = (level: Level) => level.startsWith('control')
const isMarketable = (level: Level) => level.endsWith('_marketable')

function controlStep(
  context: EngineContext,
  discounts: Discounts,
  { method, base_level }: Leveled,
  value: CalculationNode,
): Stepped {
  const [from, to] = [hasControl(base_level), hasControl(context.document.level_of_value)]
  if (from === to) {
    const reason = to
      ? 'The method and the conclusion both have control.'
      : 'The method and the conclusion both have no control.'
    return { value, step: skippedStep({ code: 'dloc', method, reason }) }
  }
  const code = from ? 'dloc' : 'control_premium'
  const { discount, control_premium, premium_factor, source, as_of } = discounts.control()
  if (!value.value.greaterThan(0)) return { value, step: skippedStep({ code, method, reason: notAbove0 }) }
  const described = describedAs(context, method, code)
  const [rate, next, reason] = from
    ? ([
        discount,
        context.calc.level(described, value, discount),
        'The method indicates a value with control, and the conclusion has none.',
      ] as const)
    : ([
        control_premium,
        context.calc.multiply(described, value, premium_factor),
        'The method indicates a value without control, and the conclusion has control.',
      ] as const)
  return stepped(context, { code, method, reason, source, as_of }, rate, value, next)
}

function marketabilityStep(
  context: EngineContext,
  discounts: Discounts,
  { method, base_level }: Leveled,
  value: CalculationNode,
  at: string,
): Stepped {
  const [from, to] = [isMarketable(base_level), isMarketable(context.document.level_of_value)]
  const code = 'dlom'
  if (from === to) {
    const reason = to
      ? 'The method and the conclusion are both marketable.'
      : 'The method and the conclusion are both nonmarketable.'
    return { value, step: skippedStep({ code, method, reason }) }
  }
  if (to)
    throw new InvalidDocument({
      pointer: `${at}/base_level`,
      code: 'conflict',
      detail: `${methodLabels[method]} indicates a nonmarketable value, and level_of_value is marketable. There is no accepted premium for marketability: choose a nonmarketable level_of_value, or set base_level to what the method indicates.`,
    })
  // Whether a controlling interest deserves a discount is disputed, so none is applied that the document does not give.
  if (hasControl(context.document.level_of_value) && !context.document.inputs.discounts?.dlom)
    return { value, step: skippedStep({ code, method, reason: withoutDlom }) }
  const { discount, source, as_of } = discounts.marketability()
  if (!value.value.greaterThan(0)) return { value, step: skippedStep({ code, method, reason: notAbove0 }) }
  const next = context.calc.level(describedAs(context, method, code), value, discount)
  const reason = 'The method indicates a marketable value, and the conclusion is nonmarketable.'
  return stepped(context, { code, method, reason, source, as_of }, discount, value, next)
}

/** Why the value of a controlling interest has no discount for lack of marketability. */
export const withoutDlom =
  'The document gives no discount for lack of marketability. The conclusion has control, and its value counts as nonmarketable without one.'

/** Why a value has no discount although its level differs. */
export const notAbove0 = 'The value is not above 0, so that a discount would raise it.'

const describedAs = (
  { document }: EngineContext,
  method: MethodOutcome['method'],
  code: keyof typeof labels,
) => ({
  id: `${method}.after_${code}`,
  label: `${methodLabels[method]}: value after ${labels[code]}`,
  unit: document.currency,
})
const labels = {
  dloc: 'the discount for lack of control',
  dlom: 'the discount for lack of marketability',
  control_premium: 'the control premium',
}

function stepped(
  { document }: EngineContext,
  told: Pick<Step, 'code' | 'method' | 'reason' | 'source' | 'as_of'>,
  rate: CalculationNode,
  before: CalculationNode,
  after: CalculationNode,
): Stepped {
  const amount = moneyOf(after.value.minus(before.value), document.currency)
  return { value: after, step: appliedStep({ ...told, amount, rate: ratioText(rate.value) }) }
}
