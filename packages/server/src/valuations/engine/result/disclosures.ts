import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { Concluded } from '../conclude.ts'
import { bridgeAssumptions } from './bridge-assumptions.ts'
import { withoutDlom } from '../levels/level-steps.ts'
import { interestAssumptions } from './interest-assumptions.ts'
import { withValue } from './with-value.ts'

/** What the conclusion assumes: by its premise, its figures and its methods. */
export function assumptionsOf(concluded: Concluded): string[] {
  const { document, steps, reconciled } = concluded
  const isApplied = (code: string) => steps.some(step => step.code === code && step.applied)
  return [
    ...new Set([
      premises[document.premise_of_value],
      `Facts and figures that were known or knowable on ${document.valuation_date} are considered.`,
      'The figures of the document are complete and right. They were not audited or verified.',
      ...(document.interest.kind === 'assets'
        ? ['The assets that are valued are those of the operations, without cash and debt.']
        : []),
      ...(document.interest.kind === 'invested_capital'
        ? ['The capital that is valued is that of the operations, free of cash and debt.']
        : []),
      ...(reconciled.point.value.isNegative()
        ? [
            'The value is below 0, because what is deducted exceeds what the methods indicate. Whether the owners owe the difference is a question of law, which is not considered.',
          ]
        : []),
      ...withValue(concluded).flatMap(({ assumptions }) => assumptions),
      ...bridgeAssumptions(concluded),
      ...(isApplied('dloc') && isApplied('dlom')
        ? ['Discounts multiply: first for lack of control, then for lack of marketability.']
        : []),
      ...(steps.some(({ reason }) => reason === withoutDlom)
        ? ['A value with control needs no discount for lack of marketability, since none is given.']
        : []),
      ...interestAssumptions(document),
    ]),
  ]
}

const premises: Record<ValuationDocument['premise_of_value'], string> = {
  going_concern: 'The subject continues to operate.',
  assemblage: 'The assets are in place and ready for use, but do not operate.',
  orderly_liquidation: 'The assets are sold piece by piece, with time to find buyers.',
  forced_liquidation: 'The assets are sold at once, as in an auction.',
}

const purposes: Record<ValuationDocument['purpose'], string> = {
  sale: 'sale',
  purchase: 'purchase',
  financing: 'financing',
  planning: 'planning',
  buy_sell: 'buy-sell agreement',
  gift_estate_tax: 'gift and estate tax',
  divorce: 'divorce',
  esop: 'employee stock ownership plan',
  litigation: 'litigation',
  financial_reporting: 'financial reporting',
}

/** What limits the use of the result. */
export function limitingConditionsOf({ purpose, valuation_date }: ValuationDocument): string[] {
  return [
    "The engine's output is a calculation, not a professional conclusion of value, unless a person signs it.",
    `It holds only for the valuation date, ${valuation_date}, and for the purpose ${purposes[purpose]}.`,
    'It rests on information from others, which was not verified.',
    'Neither the subject nor its assets were inspected, and no title was examined.',
    'Events after the valuation date are disclosed, but not considered, unless they were known or knowable on that date.',
    'The range covers the values of the methods that have a weight and the middle 80 percent of the draws of other figures. It is no forecast.',
    'It is no advice on law, taxes, accounting or investment, and no offer to buy or sell.',
  ]
}

/** The events after the valuation date, the earliest first. They are disclosed, not used. */
export const subsequentEventsOf = ({
  inputs,
  valuation_date,
}: ValuationDocument): ValuationResult['subsequent_events'] =>
  (inputs.events ?? [])
    .filter(({ on }) => on > valuation_date)
    .map(({ on, text }) => ({ on, text }))
    .sort((first, other) => (first.on < other.on ? -1 : first.on > other.on ? 1 : 0))
