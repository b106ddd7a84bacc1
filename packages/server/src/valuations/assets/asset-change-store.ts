import { newId, type Id } from '@wbs/contract/ids'
import { updateRevision, write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { AssetRow, DescribedAsset, OpenedAsset } from './asset-store.ts'

export interface NewAsset extends DescribedAsset {
  workspace_id: string
  business_id: Id<'biz'> | null
  created_by: string
}

/** Inserts an asset. */
export function insertAsset(tx: Transaction, { created_by, ...asset }: NewAsset, now: Date): AssetRow {
  const asset_id = newId('ast', now.getTime())
  tx.save(insert, { ...asset, ...costOf(asset), asset_id, created_by, now })
  const at = now.toISOString()
  return { ...asset, asset_id, revision: 1, created_at: at, updated_at: at }
}

/** Saves what describes an asset as a new revision. */
export function saveAsset(tx: Transaction, asset: OpenedAsset, now: Date): AssetRow {
  tx.save(save, { ...asset, ...costOf(asset), now })
  return { ...asset, revision: asset.revision + 1, updated_at: now.toISOString() }
}

const costOf = ({ cost }: DescribedAsset) => ({ cost_amount: cost.amount, cost_currency: cost.currency })

const insert = write(
  'asset_insert',
  `insert into assets (workspace_id, id, business_id, class, cost_amount, cost_currency, acquired_on, condition,
     description, created_at, updated_at, created_by)
   values (:workspace_id, :asset_id, :business_id, :class, :cost_amount, :cost_currency, :acquired_on, :condition,
     :description, :now, :now, :created_by)`,
)

const save = updateRevision(
  'asset_save',
  `update assets
   set business_id = :business_id, class = :class, cost_amount = :cost_amount, cost_currency = :cost_currency,
     acquired_on = :acquired_on, condition = :condition, description = :description, revision = revision + 1, updated_at = :now
   where workspace_id = :workspace_id and id = :asset_id and revision = :revision`,
)
