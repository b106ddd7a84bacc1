import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { viewerOf, type CallerInWorkspace } from '../../rooms/room-access.ts'
import { readBenchmarkSet } from '../benchmark-sets/benchmark-set-access.ts'
import type { Resolved } from '../engine/engine.ts'
import { portfolioById } from '../portfolios/portfolio-store.ts'
import { holdingsBelow } from './holding-tree-store.ts'
import { holdingTree } from './holding-tree.ts'
import { evidenceOf, namedAssets, namedBusinesses, type NamedBusiness } from './named-store.ts'

/** What a document names, as it was read for the caller. Pass it to `requireResolved`. */
export type NamedByDocument = Awaited<ReturnType<typeof readNamed>>

/** Reads in one round trip what a document names, and the evidence of the valuation if it exists already. */
export async function readNamed(
  context: CallerInWorkspace,
  reader: Reader,
  document: ValuationDocument,
  valuation_id: string | null,
) {
  const viewer = viewerOf(context)
  const { workspace_id } = viewer
  // Whoever may run valuations but not read them sees nothing that only valuations show.
  const reads = context.standing.permissions.has('valuations:read')
  const businessIds = businessIdsOf(document)
  const assetIds = assetIdsOf(document)
  const portfolio_id = reads ? idOfSubject(document, 'portfolio') : null
  const set_id = document.inputs.benchmark_set_id ?? null
  const [businesses, assets, portfolio, rows, benchmark_set, evidence] = await Promise.all([
    businessIds.length > 0 ? namedBusinesses(reader, viewer, businessIds) : [],
    reads && assetIds.length > 0 ? namedAssets(reader, workspace_id, assetIds) : [],
    portfolio_id === null ? undefined : portfolioById(reader, workspace_id, portfolio_id),
    portfolio_id === null ? [] : holdingsBelow(reader, viewer, portfolio_id, document.valuation_date),
    readBenchmarkSet(reader, reads ? workspace_id : null, set_id),
    valuation_id === null ? [] : evidenceOf(reader, workspace_id, valuation_id),
  ])
  return { businesses, assets, portfolio, rows, benchmark_set, evidence }
}

/**
 * What a document names, for the engine. Throws not_found if the caller cannot see something, whether or not it exists. For a
 * run it throws Unvaluable if a holding of the portfolio has no value; for a draft such holdings are left out.
 */
export function requireResolved(
  named: NamedByDocument,
  document: ValuationDocument,
  use: 'draft' | 'run',
  refuse: Refuse<'not_found'>,
): Resolved {
  const { businesses, assets, portfolio, rows, benchmark_set, evidence } = named
  const { subject, valuation_date } = document
  if (businessIdsOf(document).some(id => !businesses.some(business => business.id === id)))
    throw refuse.not_found('There is no such Business, or you cannot see it.')
  if (assetIdsOf(document).some(id => !assets.some(asset => asset.id === id)))
    throw refuse.not_found('There is no such asset in this Workspace.')
  const portfolio_id = idOfSubject(document, 'portfolio')
  if (portfolio_id !== null && !portfolio)
    throw refuse.not_found('There is no such portfolio in this Workspace.')
  if (!benchmark_set) throw refuse.not_found('There is no such benchmark set in this Workspace.')
  const business = businessOf(document, businesses)
  const asset = assets.find(asset => asset.id === idOfSubject(document, 'asset'))
  return {
    name: subject.name ?? nameOfSubject({ asset, business, portfolio }, subject.type),
    naics_code: business?.naics_code ?? null,
    benchmark_set,
    evidence,
    holdings: portfolio_id === null ? [] : holdingTree(rows, portfolio_id, { use, valuation_date }),
  }
}

const idOfSubject = ({ subject }: ValuationDocument, type: 'business' | 'asset' | 'portfolio') =>
  subject.type === type ? (subject.id ?? null) : null

/** The Business whose facts count: the subject, or the one that the valuation belongs to. */
const businessOf = (
  document: ValuationDocument,
  businesses: readonly NamedBusiness[],
): NamedBusiness | undefined => {
  const id = idOfSubject(document, 'business') ?? document.business_id
  return businesses.find(business => business.id === id)
}

const businessIdsOf = (document: ValuationDocument): string[] =>
  distinct([idOfSubject(document, 'business'), document.business_id])

const assetIdsOf = (document: ValuationDocument): string[] =>
  distinct([
    idOfSubject(document, 'asset'),
    ...(document.methods ?? []).flatMap(method =>
      'assets' in method ? method.assets.map(({ asset_id }) => asset_id) : [],
    ),
  ])

const distinct = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter(id => typeof id === 'string')),
]

interface FoundSubject {
  asset: { name: string } | undefined
  business: NamedBusiness | undefined
  portfolio: { name: string } | undefined
}

function nameOfSubject(
  { asset, business, portfolio }: FoundSubject,
  type: ValuationDocument['subject']['type'],
): string {
  if (type === 'portfolio') return portfolio?.name ?? 'The portfolio'
  if (type === 'asset') return asset?.name ?? 'The asset'
  return business?.name ?? 'The business'
}
