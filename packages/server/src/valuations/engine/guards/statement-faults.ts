import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { DocumentFault } from '../engine.ts'
import { ownerName } from '../normalization/add-backs.ts'
import type { Adjustment, Period } from '../normalization/statement-lines.ts'
import { faultIf, isAboveZero, repeated, taxRateFault } from './fault.ts'

/** What is wrong with the periods and the adjustments. */
export function statementFaults(document: ValuationDocument): DocumentFault[] {
  const { periods = [], adjustments = [] } = document.inputs
  const keys = new Set(periods.map(({ key }) => key))
  return [
    ...repeated(
      periods,
      ({ key }) => key,
      at => `/inputs/periods/${at}/key`,
      'Another period has this key: give each its own.',
    ),
    ...periods.flatMap((period, at) =>
      periodFaults(period, document.valuation_date, `/inputs/periods/${at}`),
    ),
    ...repeated(
      adjustments,
      ({ key }) => key,
      at => `/inputs/adjustments/${at}/key`,
      'Another adjustment has this key: give each its own.',
    ),
    ...adjustments.flatMap((adjustment, at) =>
      adjustmentFaults(adjustment, keys, `/inputs/adjustments/${at}`),
    ),
    ...ownerFaults(document, adjustments),
  ]
}

function periodFaults(period: Period, valuation_date: string, at: string): DocumentFault[] {
  const { key, start, end, known_or_knowable, income } = period
  return [
    ...faultIf(
      key === 'weighted',
      `${at}/key`,
      'conflict',
      'Methods use the word weighted for the average of several periods: give another key.',
    ),
    ...faultIf(end < start, `${at}/end`, 'out_of_range', 'A period must end on or after the day it starts.'),
    ...faultIf(
      end > valuation_date && known_or_knowable !== true,
      `${at}/known_or_knowable`,
      'requires',
      'The period ends after the valuation date. Set known_or_knowable to true if its figures were known or could be known then, or leave the period out.',
    ),
    ...faultIf(
      income?.revenue?.startsWith('-') === true,
      `${at}/income/revenue`,
      'out_of_range',
      'Revenue must be at least 0.',
    ),
    ...taxRateFault(income?.tax_rate, `${at}/income/tax_rate`),
  ]
}

function adjustmentFaults(
  { period, kind, replacement_cost }: Adjustment,
  periods: ReadonlySet<string>,
  at: string,
): DocumentFault[] {
  return [
    ...faultIf(
      !periods.has(period),
      `${at}/period`,
      'unknown',
      'Name the key of a period of inputs.periods.',
    ),
    ...faultIf(
      kind !== 'owner_compensation' && replacement_cost !== undefined && isAboveZero(replacement_cost),
      `${at}/replacement_cost`,
      'conflict',
      'Only an adjustment of the kind owner_compensation can have a replacement cost: leave it out.',
    ),
  ]
}

/** SDE adds back the pay of one owner; that of a second one stays a cost, at what it costs to replace the work. */
function ownerFaults(document: ValuationDocument, adjustments: readonly Adjustment[]): DocumentFault[] {
  const owners = new Map<string, Set<string>>()
  const usesSde = (document.methods ?? []).some(
    method =>
      method.method === 'sde_multiple' ||
      (method.method === 'guideline_transactions' && method.metric === 'sde'),
  )
  const count = (period: string) =>
    adjustments.filter(adjustment => adjustment.kind === 'owner_compensation' && adjustment.period === period)
      .length
  return adjustments.flatMap(({ kind, period, owner }, at) => {
    if (kind !== 'owner_compensation') return []
    const pointer = `/inputs/adjustments/${at}/owner`
    const name = ownerName(owner)
    if (!name)
      return faultIf(
        count(period) > 1,
        pointer,
        'required',
        'Name the owner, since several adjustments of the period concern the pay of owners.',
      )
    const ofPeriod = owners.get(period) ?? new Set()
    owners.set(period, ofPeriod.add(name))
    return faultIf(
      usesSde && ofPeriod.size > 1,
      pointer,
      'conflict',
      'SDE adds back the pay of one owner alone. Leave out the others, or use EBITDA with the replacement cost of each.',
    )
  })
}
