import type { Id } from '@wbs/contract/ids'
import type { assetClasses, assetConditions } from '@wbs/contract/valuations/assets'
import { mayLockForSql } from '../../database/locks.ts'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'

/** What describes an asset and can be edited. */
export interface DescribedAsset {
  business_id: string | null
  class: (typeof assetClasses)[number]
  cost: { amount: string; currency: string }
  /** YYYY-MM-DD. */
  acquired_on: string
  condition: (typeof assetConditions)[number]
  description: string | null
}

export interface AssetRow extends DescribedAsset {
  workspace_id: string
  asset_id: Id<'ast'>
  /** As in DescribedAsset; null or an ID of a Business. */
  business_id: Id<'biz'> | null
  revision: number
  created_at: string
  updated_at: string
}

declare const opened: unique symbol

/** An asset that was opened for a change: it is locked, and was read under that lock. */
export type OpenedAsset = AssetRow & { readonly [opened]: true }

/** An asset of a Workspace. */
export const assetById = (
  reader: Reader,
  workspace_id: string,
  asset_id: string,
): Promise<AssetRow | undefined> => reader.one(byId, { workspace_id, asset_id })

/** Locks an asset for the standing with this seal, and reads it. */
export async function lockAsset(
  tx: Transaction,
  workspace_id: string,
  asset_id: string,
  seal: string,
): Promise<OpenedAsset | undefined> {
  const [locked, asset] = await Promise.all([
    tx.run(lock, { workspace_id, asset_id, seal }),
    assetById(tx, workspace_id, asset_id),
  ])
  return locked.length > 0 ? (asset as OpenedAsset | undefined) : undefined
}

/** SQL: how an asset is called in a report: by the first line of its description, or else by its class. */
export const assetNameSql = (asset: string) =>
  `coalesce(nullif(left(split_part(${asset}.description, chr(10), 1), 200), ''), replace(${asset}.class, '_', ' '))`

export const assetColumnsSql = `workspace_id, id as asset_id, business_id, class,
  json_build_object('amount', cost_amount, 'currency', cost_currency) as cost, acquired_on, condition, description,
  revision, created_at, updated_at`

const byId = read<AssetRow>(
  'asset_by_id',
  `select ${assetColumnsSql} from assets where workspace_id = :workspace_id and id = :asset_id`,
)

const lock = write<object>(
  'asset_lock',
  `select pg_advisory_xact_lock(lock_number('asset', :workspace_id, id)) from assets
   where workspace_id = :workspace_id and id = :asset_id and ${mayLockForSql(':seal::text')}`,
)
