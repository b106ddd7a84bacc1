import type { BlobStore } from '../blobs/blob-store.ts'
import { handleCreateAsset } from './assets/create-asset.ts'
import { handleGetAsset } from './assets/get-asset.ts'
import { handleListAssets } from './assets/list-assets.ts'
import { handleUpdateAsset } from './assets/update-asset.ts'
import { handleGetBenchmarkSet } from './benchmark-sets/get-benchmark-set.ts'
import { handleImportBenchmarkSet } from './benchmark-sets/import-benchmark-set.ts'
import { handleListBenchmarkSets } from './benchmark-sets/list-benchmark-sets.ts'
import { handleCreatePortfolio } from './portfolios/create-portfolio.ts'
import { handleGetPortfolio } from './portfolios/get-portfolio.ts'
import { handleGetHolding } from './portfolios/holdings/get-holding.ts'
import { handleListHoldings } from './portfolios/holdings/list-holdings.ts'
import { handleSetHolding } from './portfolios/holdings/set-holding.ts'
import { handleListPortfolios } from './portfolios/list-portfolios.ts'
import { handleUpdatePortfolio } from './portfolios/update-portfolio.ts'
import type { SystemChangeOfRooms } from '../call/system-change.ts'
import type { JobHandlers } from '../jobs/job-kinds.ts'
import type { EngineThreads } from './engine-threads/engine-threads.ts'
import { handleAddValuationEvidence } from './evidence/add-valuation-evidence.ts'
import { handleListValuationEvidence } from './evidence/list-valuation-evidence.ts'
import { handleCreateValuation } from './create-valuation.ts'
import { handleGetValuation } from './get-valuation.ts'
import { handleReadStatements } from './statements/read-valuation-statements.ts'
import { handleListValuations } from './list-valuations.ts'
import { handleReviseValuation } from './revise-valuation.ts'
import { handleRunValuation } from './run-valuation.ts'
import { handleSignValuation } from './sign-valuation.ts'
import { handleClaimValuation } from './claims/claim-valuation.ts'
import { handleCompareValuations } from './reading/compare-valuations.ts'
import { handleExplainValuation } from './reading/explain-valuation.ts'
import { handleGetValuationReport } from './reading/get-valuation-report.ts'
import { handleGetValuationSensitivity } from './reading/get-valuation-sensitivity.ts'
import { createAsVisitor } from './visitors/create-as-visitor.ts'
import { visitorValuation } from './visitors/visitor-access.ts'
import { tellRoomsOfValuation } from './tell-rooms-of-valuation.ts'
import { handleUpdateValuation } from './update-valuation.ts'

/** What the handlers of valuations need. */
export interface ValuationParts {
  /** Where the content of Files is. */
  blobs: BlobStore
  engine: EngineThreads
}

/** The handlers of this slice. Add a line for each new handler. */
export const valuationHandlers = ({ blobs, engine }: ValuationParts) => [
  handleImportBenchmarkSet,
  handleListBenchmarkSets,
  handleGetBenchmarkSet,
  handleCreateAsset,
  handleListAssets,
  handleGetAsset,
  handleUpdateAsset,
  handleCreatePortfolio,
  handleListPortfolios,
  handleGetPortfolio,
  handleUpdatePortfolio,
  handleListHoldings,
  handleGetHolding,
  handleSetHolding,
  handleListValuations,
  handleUpdateValuation(engine.value),
  handleRunValuation(engine.value),
  handleReviseValuation(engine.value),
  handleSignValuation,
  handleAddValuationEvidence,
  handleListValuationEvidence,
  handleCreateValuation(engine.value, createAsVisitor),
  handleGetValuation(visitorValuation),
  handleClaimValuation,
  handleReadStatements(engine.value, blobs),
  handleExplainValuation,
  handleGetValuationSensitivity,
  handleCompareValuations(engine),
  handleGetValuationReport,
]

/** The job handlers of this slice. */
export const valuationJobs = (parts: { changeRooms: SystemChangeOfRooms }) =>
  ({ tell_rooms_of_valuation: tellRoomsOfValuation(parts) }) satisfies Partial<JobHandlers>
