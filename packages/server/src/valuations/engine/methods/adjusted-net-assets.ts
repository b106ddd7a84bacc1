import type { MethodOf } from '@wbs/contract/valuations/methods'
import type { MethodFunction, MethodOutcome } from '../engine.ts'
import { makeDriverByTenth } from './driver.ts'
import { itemNodes, liabilitiesOf, sumOf } from './items.ts'

const prefix = 'adjusted_net_assets'

/**
 * Adjusted net assets: the sum of the values of all assets, less all liabilities, in the currency of the document. If liabilities
 * exceed assets, the method is rejected: it would be a negative value of equity, which owners do not have to pay for.
 * Source: Pratt, S., and Niculita, A., "Valuing a Business", 5th edition, McGraw-Hill, 2008.
 *
 * By default it indicates a marketable control value: only an owner with control can sell the assets, and their values are what
 * they bring on their markets.
 * Source: Pratt, S., "Business Valuation Discounts and Premiums", 2nd edition, Wiley, 2009.
 */
export const adjustedNetAssets: MethodFunction<MethodOf<'adjusted_net_assets'>> = (
  context,
  _parts,
  method,
) => {
  const assets = sumOf(
    context,
    { id: `${prefix}.assets`, label: 'Assets' },
    itemNodes(context, `${prefix}.asset`, method.assets),
  )
  makeDriverByTenth(assets)
  const net = context.calc.subtract(
    { id: `${prefix}.value`, label: 'Value by adjusted net assets', unit: context.document.currency },
    assets,
    ...liabilitiesOf(context, prefix, method.liabilities),
  )
  const outcome: MethodOutcome = {
    method: 'adjusted_net_assets',
    approach: 'asset',
    basis_metric: 'net_assets',
    basis: net,
    period: null,
    multiple: null,
    rate: null,
    base_level: method.base_level ?? 'control_marketable',
    indicates: 'equity',
    indicated: net,
    reason_rejected: null,
    is_check: false,
    checks: [],
    sources: [],
    assumptions: ['Each asset and each liability stands at its value at the valuation date.'],
  }
  return net.value.greaterThan(0)
    ? outcome
    : { ...outcome, indicated: null, reason_rejected: 'The assets do not exceed the liabilities.' }
}
