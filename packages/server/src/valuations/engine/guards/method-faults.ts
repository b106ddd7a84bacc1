import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { ValuationMethod } from '@wbs/contract/valuations/methods'
import type { DocumentFault } from '../engine.ts'
import { premiseFaults } from '../methods/premise.ts'
import { assetMethodFaults } from './asset-method-faults.ts'
import { faultIf, repeated, sumOf } from './fault.ts'
import { incomeMethodFaults } from './income-method-faults.ts'
import { guidelineFaults, multipleFaults } from './market-method-faults.ts'

/** What is wrong with the methods and their weights. */
export function methodFaults(document: ValuationDocument): DocumentFault[] {
  const methods = document.methods ?? []
  return [
    ...repeated(
      methods,
      ({ method }) => method,
      at => `/methods/${at}/method`,
      'The document has this method already: give each once.',
    ),
    ...methods.flatMap((method, index) => {
      const at = `/methods/${index}`
      return [
        ...metricFaults(method, at),
        ...periodFaults(document, method, at),
        ...ownFaults(document, method, at),
      ]
    }),
    ...premiseFaults(document),
    ...weightFaults(document),
  ]
}

function ownFaults(document: ValuationDocument, method: ValuationMethod, at: string): DocumentFault[] {
  switch (method.method) {
    case 'sde_multiple':
    case 'ebitda_multiple':
    case 'revenue_multiple':
      return multipleFaults(document, method, at)
    case 'guideline_transactions':
      return guidelineFaults(document, method, at)
    case 'capitalized_cash_flow':
    case 'discounted_cash_flow':
      return incomeMethodFaults(document, method, at)
    case 'adjusted_net_assets':
    case 'liquidation':
    case 'excess_earnings':
    default:
      return assetMethodFaults(method, at)
  }
}

/** The figures that each method can apply to. A multiple of one figure says nothing about another. */
function metricsOf(method: ValuationMethod): readonly string[] {
  switch (method.method) {
    case 'sde_multiple':
      return ['sde']
    case 'ebitda_multiple':
      return ['ebitda']
    case 'revenue_multiple':
      return ['revenue']
    case 'guideline_transactions':
      return [method.metric]
    case 'capitalized_cash_flow':
    case 'discounted_cash_flow':
      return ['net_cash_flow']
    case 'adjusted_net_assets':
    case 'liquidation':
      return ['net_assets']
    case 'excess_earnings':
    default:
      return ['sde', 'ebitda', 'net_cash_flow']
  }
}

function metricFaults(method: ValuationMethod, at: string): DocumentFault[] {
  const { basis_metric } = method
  const fitting = metricsOf(method)
  return faultIf(
    basis_metric !== undefined && !fitting.includes(basis_metric),
    `${at}/basis_metric`,
    'conflict',
    `This method applies to ${fitting.join(' or ')}: give that, or leave it out.`,
  )
}

function periodFaults({ inputs }: ValuationDocument, method: ValuationMethod, at: string): DocumentFault[] {
  const keys = new Set((inputs.periods ?? []).map(({ key }) => key))
  const { period, period_weights } = method
  if (period !== 'weighted')
    return [
      ...faultIf(
        period !== undefined && !keys.has(period),
        `${at}/period`,
        'unknown',
        'Name the key of a period of inputs.periods, or weighted.',
      ),
      ...faultIf(
        period_weights !== undefined,
        `${at}/period`,
        'requires',
        'Period weights need the period weighted: set period to it, or leave them out.',
      ),
    ]
  if (!period_weights || Object.keys(period_weights).length === 0)
    return faultIf(true, `${at}/period_weights`, 'required', 'Give the weight of each period.')
  return [
    ...Object.keys(period_weights)
      .filter(key => !keys.has(key))
      .flatMap(key =>
        faultIf(
          true,
          `${at}/period_weights/${key}`,
          'unknown',
          'Name the keys of periods of inputs.periods.',
        ),
      ),
    ...faultIf(
      !sumOf(Object.values(period_weights)).equals(1),
      `${at}/period_weights`,
      'out_of_range',
      'The weights of the periods must add up to 1.',
    ),
  ]
}

function weightFaults({ methods, weights }: ValuationDocument): DocumentFault[] {
  if (!weights) return []
  const names = new Set<string>((methods ?? []).map(({ method }) => method))
  const given = Object.entries(weights)
  return [
    ...given.flatMap(([name, weight]) => [
      ...faultIf(
        methods !== undefined && !names.has(name),
        `/weights/${name}`,
        'unknown',
        'Name a method of the document: only those can have a weight.',
      ),
      ...faultIf(
        name === 'excess_earnings' && !sumOf([weight]).isZero(),
        `/weights/${name}`,
        'conflict',
        'excess_earnings only checks the other methods: leave its weight out, or give 0.',
      ),
    ]),
    ...faultIf(
      given.length > 0 && !sumOf(given.map(([, weight]) => weight)).equals(1),
      '/weights',
      'out_of_range',
      'The weights of the methods must add up to 1.',
    ),
  ]
}
