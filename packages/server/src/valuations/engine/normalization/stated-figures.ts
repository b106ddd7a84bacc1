import { decimal, exactText } from '../decimal.ts'
import type { Check, EngineContext, NormalizedPeriod } from '../engine.ts'
import { asDriver, figureNames } from './period-earnings.ts'
import { checkOf } from './statement-checks.ts'
import { originOf, type Period } from './statement-lines.ts'

const statedFigures = ['sde', 'ebitda', 'net_cash_flow'] as const

/**
 * The period with the figures that somebody else stated, for those that its statements do not give. Only an indicative
 * valuation uses them: the other kinds need statements. A stated figure that differs from the computed one is a check.
 */
export function withStatedFigures(
  { calc, document }: EngineContext,
  period: Period,
  computed: NormalizedPeriod,
): { period: NormalizedPeriod; checks: Check[]; is_stated: boolean } {
  const result = { ...computed, assumptions: { ...computed.assumptions } }
  const checks: Check[] = []
  let is_stated = false
  for (const figure of statedFigures) {
    const stated = period.stated?.[figure]
    if (stated === undefined) continue
    const node = computed[figure]
    if (node) {
      checks.push(...checkOf(`stated_${figure}_differs`, period.key, decimal(stated), node.value))
    } else if (document.engagement_type === 'indicative') {
      result[figure] = asDriver(
        calc.input(
          {
            id: `period.${period.key}.${figure}`,
            label: `${figureNames[figure]} of ${period.key}, as stated`,
            unit: document.currency,
            ...originOf(period),
          },
          stated,
        ),
      )
      result.assumptions[figure] = [
        `${figureNames[figure]} of ${period.key} is the stated ${exactText(decimal(stated))}; the statements do not give it.`,
      ]
      is_stated = true
    }
  }
  return { period: result, checks, is_stated }
}
