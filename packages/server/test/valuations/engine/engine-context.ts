import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { createCalculation } from '../../../src/valuations/engine/calculation/calculation.ts'
import type { EngineContext } from '../../../src/valuations/engine/engine.ts'

/** A document of a business without statements and methods, with parts of it replaced. */
export const documentWith = (part: Partial<ValuationDocument> = {}): ValuationDocument => ({
  subject: { type: 'business', name: 'Corner Bakery' },
  engagement_type: 'calculation',
  purpose: 'sale',
  standard_of_value: 'fair_market_value',
  premise_of_value: 'going_concern',
  level_of_value: 'control_marketable',
  interest: { percent: '100', kind: 'invested_capital' },
  valuation_date: '2026-06-30',
  currency: 'USD',
  inputs: {},
  ...part,
})

/** What a part of the engine gets, with a new calculation and no benchmarks. */
export const contextOf = (document: ValuationDocument): EngineContext => ({
  document,
  resolved: {
    name: 'Corner Bakery',
    naics_code: null,
    benchmark_set: {
      benchmark_set_id: '11111111-1111-4111-8111-111111111111',
      sha256: '0'.repeat(64),
      rows: [],
    },
    evidence: [],
    holdings: [],
  },
  calc: createCalculation(),
})
