import type { SensitivityResult, ValuationResult } from '@wbs/contract/valuations/result'
import type { Concluded } from '../conclude.ts'
import { Decimal, moneyOf, ratioText } from '../decimal.ts'
import { engineVersion } from '../engine.ts'
import { excessEarningsCheck } from '../reconciliation/excess-earnings-check.ts'
import { rangeAround } from '../reconciliation/range.ts'
import { approachesOf } from './approaches.ts'
import { assumptionsOf, limitingConditionsOf, subsequentEventsOf } from './disclosures.ts'
import { factorsOf } from './factors-59-60.ts'
import { sourcesOf } from './sources.ts'

/** What the result says about its computation, apart from its own hash. */
interface Run {
  seed: number
  input_hash: string
}

type Unhashed = Omit<ValuationResult, 'engine'> & { engine: Omit<ValuationResult['engine'], 'result_hash'> }

/** The result of a conclusion, without its hash. Its keys always stand in this order. */
export function resultOf(
  concluded: Concluded,
  found: { sensitivity: SensitivityResult; draws: { p10: Decimal; p90: Decimal } | null },
  { seed, input_hash }: Run,
): Unhashed {
  const { document, resolved, normalized, rates, outcomes } = concluded
  const isPortfolio = document.subject.type === 'portfolio'
  const rate = (node: { value: Decimal } | null) => node && ratioText(node.value)
  const hasRates = Object.values(rates).some(node => node !== null)
  return {
    normalisation: normalized.normalisation,
    earnings: normalized.earnings,
    checks: [
      ...normalized.checks,
      ...outcomes.flatMap(({ checks }) => checks),
      ...excessEarningsCheck(concluded.checking, concluded.reconciled),
    ],
    cost_of_capital: hasRates
      ? {
          cost_of_equity: rate(rates.cost_of_equity),
          cost_of_debt: rate(rates.cost_of_debt),
          wacc: rate(rates.wacc),
        }
      : null,
    approaches: approachesOf(concluded),
    adjustments: [...concluded.steps],
    reconciliation: concluded.reconciled.reconciliation,
    conclusion: conclusionOf(concluded, found.draws),
    sensitivity: found.sensitivity,
    holdings: concluded.holdings,
    assumptions: assumptionsOf(concluded),
    limiting_conditions: limitingConditionsOf(document),
    sources: sourcesOf(concluded),
    subsequent_events: subsequentEventsOf(document),
    factors_59_60: factorsOf(concluded),
    engine: {
      version: engineVersion,
      benchmark_set_id: isPortfolio ? null : resolved.benchmark_set.benchmark_set_id,
      benchmark_set_sha256: isPortfolio ? null : resolved.benchmark_set.sha256,
      seed,
      input_hash,
    },
  }
}

function conclusionOf(
  { document, reconciled: { point, used } }: Concluded,
  draws: { p10: Decimal; p90: Decimal } | null,
): ValuationResult['conclusion'] {
  const { low, high } = rangeAround(
    point.value,
    used.map(({ concluded }) => concluded.value),
    draws,
  )
  const money = (value: Decimal) => moneyOf(value, document.currency)
  const perShare = valueOfOneShare(document, point.value)
  return {
    low: money(low),
    point: money(point.value),
    high: money(high),
    per_share: perShare && money(perShare),
    level_of_value: document.level_of_value,
  }
}

/**
 * The value of one share: the conclusion, divided by the number of shares that are valued. The number in the document is that of
 * all shares. Null unless equity is valued and there are shares.
 */
export function valueOfOneShare({ interest, inputs }: Concluded['document'], point: Decimal): Decimal | null {
  if (interest.kind !== 'equity' || inputs.bridge?.shares === undefined) return null
  const shares = new Decimal(inputs.bridge.shares).times(interest.percent).dividedBy(100)
  return shares.isZero() ? null : point.dividedBy(shares)
}
