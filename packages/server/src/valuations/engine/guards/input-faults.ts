import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { ValuationInputs } from '@wbs/contract/valuations/inputs'
import type { DocumentFault } from '../engine.ts'
import { datedLater, faultIf, isAboveZero, repeated } from './fault.ts'

/** What is wrong with exchange rates, discounts and the bridge to equity. */
export const inputFaults = ({ inputs, valuation_date }: ValuationDocument): DocumentFault[] => [
  ...exchangeFaults(inputs.fx ?? [], valuation_date),
  ...discountFaults(inputs.discounts ?? {}, valuation_date),
  ...faultIf(
    inputs.bridge?.shares !== undefined && !isAboveZero(inputs.bridge.shares),
    '/inputs/bridge/shares',
    'out_of_range',
    'The number of shares must be above 0.',
  ),
]

function exchangeFaults(rates: NonNullable<ValuationInputs['fx']>, valuation_date: string): DocumentFault[] {
  return [
    ...rates.flatMap(({ from, to, rate, as_of }, index) => {
      const at = `/inputs/fx/${index}`
      return [
        ...faultIf(
          from === to,
          `${at}/to`,
          'conflict',
          'An exchange rate must be between two different currencies.',
        ),
        ...faultIf(!isAboveZero(rate), `${at}/rate`, 'out_of_range', 'An exchange rate must be above 0.'),
        ...datedLater(as_of, valuation_date, `${at}/as_of`),
      ]
    }),
    ...repeated(
      rates,
      ({ from, to }) => `${from} ${to}`,
      index => `/inputs/fx/${index}`,
      'There is another rate for these currencies: give one.',
    ),
  ]
}

function discountFaults(
  { dloc, dlom }: NonNullable<ValuationInputs['discounts']>,
  valuation_date: string,
): DocumentFault[] {
  const at = '/inputs/discounts'
  const faults = datedLater(dloc?.as_of, valuation_date, `${at}/dloc/as_of`)
  if (!dlom) return faults
  if (dlom.model === 'cited_study')
    return [
      ...faults,
      ...faultIf(
        isAboveZero(dlom.rate) && !belowOne(dlom.rate),
        `${at}/dlom/rate`,
        'out_of_range',
        'A discount must be below 1: 0.3 is 30 percent.',
      ),
      ...datedLater(dlom.as_of, valuation_date, `${at}/dlom/as_of`),
    ]
  return [
    ...faults,
    ...(['volatility', 'years'] as const).flatMap(name =>
      faultIf(!isAboveZero(dlom[name]), `${at}/dlom/${name}`, 'out_of_range', 'It must be above 0.'),
    ),
    ...faultIf(
      dlom.model === 'chaffe' && dlom.risk_free === undefined,
      `${at}/dlom/risk_free`,
      'required',
      'The put of chaffe needs the risk-free rate.',
    ),
  ]
}

const belowOne = (rate: string): boolean => /^0(?:\.|$)/u.test(rate)
