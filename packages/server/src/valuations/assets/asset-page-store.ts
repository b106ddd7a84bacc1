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
  filter: AssetFilter,
  page: { after: string; limit: number },
): Promise<AssetRow[]> => reader.many(statementFor(filter), { ...filter, ...page, workspace_id })

function statementFor(filter: AssetFilter) {
  if (filter.business_id !== undefined) return ofBusiness
  return filter.class === undefined ? all : ofClass
}

const pageSql = (filter = '') =>
  `select ${assetColumnsSql} from assets where workspace_id = :workspace_id and id > :after ${filter} order by id limit :limit`

const all = read<AssetRow>('assets_page', pageSql(), 'long')

const ofClass = read<AssetRow>('assets_of_class_page', pageSql('and class = :class'), 'long')

const ofBusiness = read<AssetRow>(
  'assets_of_business_page',
  pageSql('and business_id = :business_id and (:class::text is null or class = :class)'),
  'long',
)
