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
  tx.save(insert, [asset.workspace_id, asset_id, ...described(asset), now, created_by])
  const at = now.toISOString()
  return { ...asset, asset_id, revision: 1, created_at: at, updated_at: at }
}

/** Saves what describes an asset as a new revision. */
export function saveAsset(tx: Transaction, asset: OpenedAsset, now: Date): AssetRow {
  tx.save(save, [asset.workspace_id, asset.asset_id, ...described(asset), now, asset.revision])
  return { ...asset, revision: asset.revision + 1, updated_at: now.toISOString() }
}

const described = ({ business_id, cost, acquired_on, condition, description, ...asset }: DescribedAsset) => [
  business_id,
  asset.class,
  cost.amount,
  cost.currency,
  acquired_on,
  condition,
  description,
]

const insert = write(
  'asset_insert',
  `insert into assets (workspace_id, id, business_id, class, cost_amount, cost_currency, acquired_on, condition,
     description, created_at, updated_at, created_by)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11)`,
)

const save = updateRevision(
  'asset_save',
  `update assets set business_id = $3, class = $4, cost_amount = $5, cost_currency = $6, acquired_on = $7,
     condition = $8, description = $9, revision = revision + 1, updated_at = $10
   where workspace_id = $1 and id = $2 and revision = $11`,
)
