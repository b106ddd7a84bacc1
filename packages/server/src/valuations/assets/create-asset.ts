import { createAsset } from '@wbs/contract/valuations/assets'
import { implement } from '../../call/implement.ts'
import { readNamedBusiness, requireNamedBusiness } from '../naming/named-business-access.ts'
import { insertAsset } from './asset-change-store.ts'
import { assetAsSubject, presentAsset } from './asset-view.ts'

export const handleCreateAsset = implement(
  createAsset,
  async function createAsset(input, context) {
    const { business_id = null, description = null, cost, acquired_on, condition } = input
    const { tx, caller, standing, now, refuse } = context
    requireNamedBusiness(await readNamedBusiness(context, tx, business_id), refuse)
    const asset = insertAsset(
      tx,
      {
        workspace_id: standing.workspace_id,
        business_id,
        class: input.class,
        cost: { amount: cost.amount, currency: cost.currency },
        acquired_on,
        condition,
        description,
        created_by: caller.user_id,
      },
      now,
    )
    return {
      result: { data: presentAsset(asset) },
      revision: asset.revision,
      resource: { type: 'asset', id: asset.asset_id },
      events: [{ type: 'asset.created', subject: assetAsSubject(asset) }],
    }
  },
  { prefetch: ({ business_id = null }, context) => readNamedBusiness(context, context.tx, business_id) },
)
