import { getAsset } from '@wbs/contract/valuations/assets'
import { implement } from '../../call/implement.ts'
import { requireAsset } from './asset-access.ts'
import { presentAsset } from './asset-view.ts'

export const handleGetAsset = implement(getAsset, async function getAsset({ asset_id }, context) {
  const asset = await requireAsset(context, context.read, asset_id)
  return { result: { data: presentAsset(asset) }, revision: asset.revision }
})
