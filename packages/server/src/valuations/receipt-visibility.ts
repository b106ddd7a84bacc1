import type { VisibilityChecks } from '../call/commands/visibility.ts'
import { seesAssets } from './assets/asset-access.ts'
import { assetById } from './assets/asset-store.ts'
import { seesBenchmarkSets } from './benchmark-sets/benchmark-set-access.ts'
import { hasBenchmarkSet } from './benchmark-sets/benchmark-set-store.ts'
import { seesPortfolios } from './portfolios/portfolio-access.ts'
import { portfolioById } from './portfolios/portfolio-store.ts'
import { canSeeValuation } from './valuation-access.ts'

/** Whether a caller can see the resources that receipts name. */
export const valuationVisibility: Pick<
  VisibilityChecks,
  'valuation' | 'portfolio' | 'asset' | 'benchmark_set'
> = {
  portfolio: async (id, { standing, tx }) =>
    seesPortfolios(standing) && (await portfolioById(tx, standing.workspace_id, id)) !== undefined,
  asset: async (id, { standing, tx }) =>
    seesAssets(standing) && (await assetById(tx, standing.workspace_id, id)) !== undefined,
  benchmark_set: async (id, { standing, tx }) =>
    seesBenchmarkSets(standing) && (await hasBenchmarkSet(tx, standing.workspace_id, id)),
  valuation: (id, context) => canSeeValuation(context, id),
}
