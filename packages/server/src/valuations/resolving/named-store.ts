import type { EvidenceCode } from '@wbs/contract/valuations/evidence'
import { read, type Reader } from '../../database/statement.ts'
import { asViewer, canReadBusinessSql, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { assetNameSql } from '../assets/asset-store.ts'

export interface NamedBusiness {
  id: string
  name: string
  /** The code (2022) of the primary classification, as far as the viewer can read it. */
  naics_code: string | null
}

/** Those of some Businesses that the viewer can read. */
export const namedBusinesses = (
  reader: Reader,
  viewer: Viewer,
  ids: readonly string[],
): Promise<NamedBusiness[]> => reader.many(businessesById, { ...asViewer(viewer), business_ids: ids })

const businessesById = read<NamedBusiness>(
  'valuation_businesses_named',
  `select b.id, b.name, (
     select c.code from business_classifications c
     where c.business_id = b.id and c.is_primary and c.vintage = '2022'
       and (c.published or :reads_businesses::boolean and exists (
       select from workspace_businesses own
       where own.workspace_id = :workspace_id and own.business_id = b.id and own.removed_at is null and own.sees_unpublished))
   ) as naics_code
   from businesses b
   where b.id = any (:business_ids::text[]) and ${canReadBusinessSql('b.id')}`,
)

export interface NamedAsset {
  id: string
  name: string
}

/** Those of some assets that the Workspace has. */
export const namedAssets = (
  reader: Reader,
  workspace_id: string,
  ids: readonly string[],
): Promise<NamedAsset[]> => reader.many(assetsById, { workspace_id, asset_ids: ids })

const assetsById = read<NamedAsset>(
  'valuation_assets_named',
  `select a.id, ${assetNameSql('a')} as name from assets a
   where a.workspace_id = :workspace_id and a.id = any (:asset_ids::text[])`,
)

/** The evidence of a valuation, in the order in which it was added. */
export const evidenceOf = (
  reader: Reader,
  workspace_id: string,
  valuation_id: string,
): Promise<NamedEvidence[]> => reader.many(evidenceOfValuation, { workspace_id, valuation_id })

export interface NamedEvidence {
  evidence_id: string
  code: EvidenceCode
  dated_on: string
  known_or_knowable: boolean
}

const evidenceOfValuation = read<NamedEvidence>(
  'valuation_evidence_named',
  `select id as evidence_id, code, dated_on, known_or_knowable from valuation_evidence
   where workspace_id = :workspace_id and valuation_id = :valuation_id order by id`,
)
