import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { DocumentFault } from '../engine.ts'
import type { GuidelineTransactionsMethod } from '../methods/guideline-transactions.ts'
import type { MultipleMethod } from '../methods/multiples.ts'
import { datedLater, faultIf, isAboveZero } from './fault.ts'

export function multipleFaults(
  { valuation_date }: ValuationDocument,
  { multiple, source, as_of }: MultipleMethod,
  at: string,
): DocumentFault[] {
  return [
    ...faultIf(
      multiple !== undefined && !isAboveZero(multiple),
      `${at}/multiple`,
      'out_of_range',
      'A multiple must be above 0.',
    ),
    ...faultIf(
      multiple === undefined && (source !== undefined || as_of !== undefined),
      `${at}/multiple`,
      'required',
      'Give the multiple that the source is of, or leave out source and as_of to use the benchmark set.',
    ),
    ...datedLater(as_of, valuation_date, `${at}/as_of`),
  ]
}

export function guidelineFaults(
  { valuation_date }: ValuationDocument,
  { rows }: GuidelineTransactionsMethod,
  at: string,
): DocumentFault[] {
  return rows.flatMap(({ price, metric_amount, closed_on }, index) => {
    const row = `${at}/rows/${index}`
    return [
      ...faultIf(!isAboveZero(price), `${row}/price`, 'out_of_range', 'The price must be above 0.'),
      ...faultIf(
        !isAboveZero(metric_amount),
        `${row}/metric_amount`,
        'out_of_range',
        'The metric must be above 0, because the price is divided by it.',
      ),
      ...faultIf(
        closed_on > valuation_date,
        `${row}/closed_on`,
        'out_of_range',
        'The transaction closed after the valuation date, so it was not known then: leave it out.',
      ),
    ]
  })
}
