import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { MethodName } from '@wbs/contract/valuations/methods'
import type { DocumentFault } from '../engine.ts'

const liquidationPremises = {
  orderly_liquidation: 'orderly',
  forced_liquidation: 'forced',
} as const

/** The methods that value the earnings of a business. It must be in operation to earn them. */
const methodsOfOperation: ReadonlySet<MethodName> = new Set([
  'sde_multiple',
  'ebitda_multiple',
  'revenue_multiple',
  'guideline_transactions',
  'capitalized_cash_flow',
  'discounted_cash_flow',
  'excess_earnings',
])

/**
 * Methods that contradict the premise of value: earnings of a business that is closed, or past earnings of assets that do not
 * operate, or a liquidation of the other kind.
 * Adjusted net assets fit every premise, because their values are given; so does a liquidation, as the least that a business
 * which goes on is worth.
 */
export function premiseFaults({
  premise_of_value: premise,
  standard_of_value,
  methods = [],
}: ValuationDocument): DocumentFault[] {
  const kind =
    premise === 'orderly_liquidation' || premise === 'forced_liquidation'
      ? liquidationPremises[premise]
      : null
  const faults: DocumentFault[] = []
  if (standard_of_value === 'liquidation_value' && !kind)
    faults.push({
      pointer: '/premise_of_value',
      code: 'conflict',
      detail: 'The standard liquidation_value needs the premise orderly_liquidation or forced_liquidation.',
    })
  for (const [at, method] of methods.entries()) {
    if (method.method === 'liquidation' && kind && method.kind !== kind)
      faults.push({
        pointer: `/methods/${at}/kind`,
        code: 'conflict',
        detail: `The premise ${premise} needs the kind ${kind}.`,
      })
    if (needsOperation(method.method, premise))
      faults.push({
        pointer: `/methods/${at}/method`,
        code: 'conflict',
        detail: `The method ${method.method} values a business that goes on, so it needs another premise_of_value.`,
      })
  }
  return faults
}

/** Whether the method values an operation that the premise excludes. Assets that are in place may have cash flows to come. */
const needsOperation = (method: MethodName, premise: ValuationDocument['premise_of_value']): boolean =>
  premise !== 'going_concern' &&
  methodsOfOperation.has(method) &&
  !(premise === 'assemblage' && method === 'discounted_cash_flow')
