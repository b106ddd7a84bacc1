import type { Refuse } from '../../call/problem.ts'
import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import type { Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { assetById, lockAsset, type AssetRow, type OpenedAsset } from './asset-store.ts'

interface CallerInWorkspace {
  standing: Standing
}
type CallerOfChange = CallerInWorkspace & { tx: Transaction }
type MayBeAbsent = { refuse: Refuse<'not_found'> }

/** Whether a caller can see the assets of the Workspace, where the operation declares another permission. */
export const seesAssets = ({ permissions }: Standing | GuestStanding): boolean =>
  permissions.has('valuations:read')

const noSuchAsset = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such asset, or you cannot see it.')

/** An asset of the Workspace. Throws not_found. */
export async function requireAsset(
  { standing, refuse }: CallerInWorkspace & MayBeAbsent,
  reader: Reader,
  asset_id: string,
): Promise<AssetRow> {
  const asset = seesAssets(standing) ? await assetById(reader, standing.workspace_id, asset_id) : undefined
  if (!asset) throw noSuchAsset(refuse)
  return asset
}

/** Locks an asset of the Workspace. Undefined if the caller cannot see it. Pass it to `requireOpened`. */
export const lockVisibleAsset = async (
  { tx, standing }: CallerOfChange,
  asset_id: string,
): Promise<OpenedAsset | undefined> =>
  seesAssets(standing) ? lockAsset(tx, standing.workspace_id, asset_id, standing.seal) : undefined

/** The asset that `lockVisibleAsset` locked. Throws not_found if there is none. */
export function requireOpened(asset: OpenedAsset | undefined, refuse: Refuse<'not_found'>): OpenedAsset {
  if (!asset) throw noSuchAsset(refuse)
  return asset
}

/** Checks before a replay that the caller can still see the asset of the path. Throws not_found. */
export async function checkAssetVisible(
  { asset_id }: { asset_id: string },
  context: CallerOfChange & MayBeAbsent,
): Promise<void> {
  await requireAsset(context, context.tx, asset_id)
}
