import { listAssets } from '@wbs/contract/valuations/assets'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { readNamedBusiness, requireNamedBusiness } from '../naming/named-business-access.ts'
import { assetsPage } from './asset-page-store.ts'
import { presentAsset } from './asset-view.ts'

export const handleListAssets = implement(listAssets, async function listAssets(input, context) {
  const { business_id, cursor: after = '', limit = 20 } = input
  const { read, standing, refuse } = context
  const filter = { business_id, class: input.class }
  const [business, rows] = await Promise.all([
    readNamedBusiness(context, read, business_id),
    assetsPage(read, standing.workspace_id, filter, { after, limit: limit + 1 }),
  ])
  requireNamedBusiness(business, refuse)
  const { data, page } = pageOf(rows, limit, row => row.asset_id)
  return { result: { data: data.map(presentAsset), page } }
})
