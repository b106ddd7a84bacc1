import type { AssetRow } from './asset-store.ts'

/** An asset for an answer. */
export function presentAsset(row: AssetRow) {
  const { asset_id, business_id, cost, acquired_on, condition, description } = row
  const { revision, created_at, updated_at } = row
  return {
    asset_id,
    business_id,
    class: row.class,
    cost,
    acquired_on,
    condition,
    description,
    revision,
    created_at,
    updated_at,
  }
}

/** An asset as the subject of an event. It has no name. */
export const assetAsSubject = ({ asset_id }: Pick<AssetRow, 'asset_id'>) => ({
  type: 'asset',
  id: asset_id,
  name: null,
})
