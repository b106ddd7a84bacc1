import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { MethodOf } from '@wbs/contract/valuations/methods'
import type { DocumentFault } from '../engine.ts'
import { rateSourceFaults } from './capital-faults.ts'
import { faultIf, isAbove, isAboveZero } from './fault.ts'

/** What is wrong with a method that discounts or capitalizes cash flows, as far as its rate is given. */
export function incomeMethodFaults(
  { inputs }: ValuationDocument,
  method: MethodOf<'capitalized_cash_flow'> | MethodOf<'discounted_cash_flow'>,
  at: string,
): DocumentFault[] {
  const rate = method.discount_rate
  return [
    ...(typeof rate === 'object'
      ? rateSourceFaults(inputs.cost_of_capital, rate.from)
      : faultIf(
          !isAboveZero(rate),
          `${at}/discount_rate`,
          'out_of_range',
          'The discount rate must be above 0.',
        )),
    ...(method.method === 'capitalized_cash_flow'
      ? growthFaults(method.growth, rate, `${at}/growth`)
      : terminalFaults(method, `${at}/terminal`)),
  ]
}

function terminalFaults(
  { terminal, discount_rate }: MethodOf<'discounted_cash_flow'>,
  at: string,
): DocumentFault[] {
  if (terminal.kind === 'gordon') return growthFaults(terminal.growth, discount_rate, `${at}/growth`)
  return (['metric_amount', 'multiple'] as const).flatMap(name =>
    faultIf(!isAboveZero(terminal[name]), `${at}/${name}`, 'out_of_range', 'It must be above 0.'),
  )
}

/** Growth for ever at the discount rate or above it gives no finite value; growth of -1 leaves nothing to grow. */
const growthFaults = (growth: string, rate: string | { from: string }, pointer: string): DocumentFault[] => [
  ...faultIf(
    typeof rate === 'string' && !isAbove(rate, growth),
    pointer,
    'out_of_range',
    'The growth must be below the discount rate.',
  ),
  ...faultIf(!isAbove(growth, '-1'), pointer, 'out_of_range', 'The growth must be above -1.'),
]
