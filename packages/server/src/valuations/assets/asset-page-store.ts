import type { assetClasses } from '@wbs/contract/valuations/assets'
import { read, type Reader } from '../../database/statement.ts'
import { assetColumnsSql, type AssetRow } from './asset-store.ts'

export interface AssetFilter {
  business_id: string | undefined
  class: (typeof assetClasses)[number] | undefined
}

/** The assets of a Workspace by id. */
export const assetsPage = (
  reader: Reader,
  workspace_id: string,
  { business_id, class: kind }: AssetFilter,
  { after, limit }: { after: string; limit: number },
): Promise<AssetRow[]> => {
  if (business_id !== undefined)
    return reader.many(ofBusiness, [workspace_id, after, limit, business_id, kind])
  return kind === undefined
    ? reader.many(all, [workspace_id, after, limit])
    : reader.many(ofClass, [workspace_id, after, limit, kind])
}

const pageSql = (filter = '') =>
  `select ${assetColumnsSql} from assets where workspace_id = $1 and id > $2 ${filter} order by id limit $3`

const all = read<AssetRow>('assets_page', pageSql(), 'long')

const ofClass = read<AssetRow>('assets_of_class_page', pageSql('and class = $4'), 'long')

const ofBusiness = read<AssetRow>(
  'assets_of_business_page',
  pageSql('and business_id = $4 and ($5::text is null or class = $5)'),
  'long',
)
