import type { MethodOf } from '@wbs/contract/valuations/methods'
import type { DocumentFault } from '../engine.ts'
import { faultIf, isAbove, isAboveZero, repeated } from './fault.ts'

type AssetMethod = MethodOf<'adjusted_net_assets'> | MethodOf<'liquidation'> | MethodOf<'excess_earnings'>

/** What is wrong with a method that values assets. */
export function assetMethodFaults(method: AssetMethod, at: string): DocumentFault[] {
  if (method.method === 'excess_earnings')
    return faultIf(
      !isAboveZero(method.intangible_rate),
      `${at}/intangible_rate`,
      'out_of_range',
      'The rate must be above 0, because the excess earnings are divided by it.',
    )
  const assets: readonly { asset_id?: string | null }[] = method.assets
  return [
    ...repeated(
      assets,
      ({ asset_id }) => asset_id ?? null,
      index => `${at}/assets/${index}/asset_id`,
      'Another item names this asset: list each once.',
    ),
    ...(method.method === 'liquidation' ? liquidationFaults(method, at) : []),
  ]
}

function liquidationFaults(
  { assets, months, discount_rate }: MethodOf<'liquidation'>,
  at: string,
): DocumentFault[] {
  return [
    ...assets.flatMap(({ recovery }, index) =>
      faultIf(
        isAbove(recovery, '1'),
        `${at}/assets/${index}/recovery`,
        'out_of_range',
        'A sale brings at most the whole amount: the recovery must be at most 1.',
      ),
    ),
    ...faultIf(
      discount_rate !== undefined && months === undefined,
      `${at}/months`,
      'requires',
      'The discount rate needs the number of months.',
    ),
  ]
}
