import type { InputOf } from '@wbs/contract/operation'
import { updateAsset } from '@wbs/contract/valuations/assets'
import { implement, type MutationContext } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { readNamedBusiness, requireNamedBusiness } from '../naming/named-business-access.ts'
import { changedFields } from './asset.ts'
import { checkAssetVisible, lockVisibleAsset, requireOpened } from './asset-access.ts'
import { saveAsset } from './asset-change-store.ts'
import { assetAsSubject, presentAsset } from './asset-view.ts'

export const handleUpdateAsset = implement(
  updateAsset,
  async function updateAsset(input, context) {
    const { asset_id, expected_revision, ...changes } = input
    const { tx, now, refuse } = context
    const [locked, business] = await lockAndRead(input, context)
    const asset = requireOpened(locked, refuse)
    // Whoever sends an asset as they read it need not see its Business.
    if (changes.business_id !== asset.business_id) requireNamedBusiness(business, refuse)
    const edited = { ...asset, ...changes }
    const changed = changedFields(asset, edited)
    requireRevision(asset, expected_revision, changed, refuse)
    const saved = changed.length > 0 ? saveAsset(tx, edited, now) : asset
    return {
      result: { data: presentAsset(saved) },
      revision: saved.revision,
      resource: { type: 'asset', id: asset_id },
      changed,
      events:
        changed.length > 0
          ? [{ type: 'asset.updated', subject: assetAsSubject(saved), data: { changed } }]
          : [],
    }
  },
  { visible: checkAssetVisible, prefetch: (input, context) => lockAndRead(input, context) },
)

/** Locks the asset of the path, and reads the Business that the request names. */
const lockAndRead = (
  { asset_id, business_id }: InputOf<typeof updateAsset>,
  context: Pick<MutationContext<typeof updateAsset>, 'caller' | 'standing' | 'tx'>,
) => Promise.all([lockVisibleAsset(context, asset_id), readNamedBusiness(context, context.tx, business_id)])
