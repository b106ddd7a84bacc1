import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { DocumentFault } from '../engine.ts'
import { faultIf } from './fault.ts'

const prefixes = { business: 'biz_', asset: 'ast_', portfolio: 'pfl_' } as const
const nouns = { business: 'a Business', asset: 'an asset', portfolio: 'a portfolio' } as const

/** What does not fit what is valued: its id, its inputs and its methods. */
export const subjectFaults = (document: ValuationDocument): DocumentFault[] => [
  ...idFaults(document),
  ...(document.subject.type === 'portfolio' ? portfolioFaults(document) : []),
  ...(document.subject.type === 'asset' ? assetFaults(document) : []),
]

function idFaults({ subject: { type, id } }: ValuationDocument): DocumentFault[] {
  return faultIf(
    Boolean(id) && !id?.startsWith(prefixes[type]),
    '/subject/id',
    'conflict',
    `Give the ID of ${nouns[type]}, which begins with ${prefixes[type]}.`,
  )
}

/** The value of a portfolio is that of its holdings. */
function portfolioFaults({ subject, inputs, methods, weights }: ValuationDocument): DocumentFault[] {
  const otherInputs = Object.entries(inputs).filter(
    ([name, value]) => name !== 'fx' && value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return [
    ...faultIf(!subject.id, '/subject/id', 'required', 'Give the ID of the portfolio.'),
    ...faultIf(
      Boolean(methods?.length),
      '/methods',
      'conflict',
      'A portfolio is valued by what it holds: leave out the methods.',
    ),
    ...faultIf(
      weights !== undefined && Object.keys(weights).length > 0,
      '/weights',
      'conflict',
      'A portfolio is valued by what it holds: leave out the weights.',
    ),
    ...otherInputs.map(([name]) => ({
      pointer: `/inputs/${name}`,
      code: 'conflict' as const,
      detail: 'The valuation of a portfolio can have exchange rates alone (inputs.fx): leave the others out.',
    })),
  ]
}

/** An asset is valued by itself: by methods that list it, and nothing else. */
function assetFaults({ subject, methods = [] }: ValuationDocument): DocumentFault[] {
  return methods.flatMap((method, at) => {
    if (method.method !== 'adjusted_net_assets' && method.method !== 'liquidation')
      return faultIf(
        true,
        `/methods/${at}/method`,
        'conflict',
        'An asset can be valued by adjusted_net_assets or liquidation alone.',
      )
    const { id } = subject
    if (!id) return []
    return [
      ...faultIf(
        !method.assets.some(({ asset_id }) => asset_id === id),
        `/methods/${at}/assets`,
        'required',
        'Name the asset that is valued: give an item its asset_id.',
      ),
      ...method.assets.flatMap(({ asset_id }, item) =>
        faultIf(
          Boolean(asset_id) && asset_id !== id,
          `/methods/${at}/assets/${item}/asset_id`,
          'conflict',
          'The valuation of an asset can list that asset alone: give the same ID as subject.id.',
        ),
      ),
    ]
  })
}
