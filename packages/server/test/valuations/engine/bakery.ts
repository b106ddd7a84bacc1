import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { createCalculation } from '../../../src/valuations/engine/calculation/calculation.ts'
import type { EngineContext, Resolved } from '../../../src/valuations/engine/engine.ts'

type Inputs = ValuationDocument['inputs']
export type Period = NonNullable<Inputs['periods']>[number]
export type Adjustment = NonNullable<Inputs['adjustments']>[number]

/** The year 2025 of a bakery. Its income statement adds up. */
export const year2025: Period = {
  key: '2025',
  start: '2025-01-01',
  end: '2025-12-31',
  basis: 'tax_return',
  income: {
    revenue: '800000',
    cost_of_sales: '320000',
    operating_expenses: '280000',
    owner_compensation: '80000',
    depreciation: '20000',
    amortization: '0',
    interest_expense: '10000',
    other_income: '0',
    taxes: '0',
    net_income: '90000',
  },
}

/** Another year of the bakery with the given income. */
export const yearOf = (key: string, income: Period['income'] = year2025.income): Period => ({
  key,
  start: `${key}-01-01`,
  end: `${key}-12-31`,
  basis: 'tax_return',
  ...(income && { income }),
})

/** What Ann, the owner of the bakery, was paid in 2025. */
export const payOfAnn: Adjustment = {
  key: 'a1',
  period: '2025',
  line: 'owner_compensation',
  kind: 'owner_compensation',
  amount: '80000',
  owner: 'Ann',
  replacement_cost: '0',
}

/** An indicative valuation of the bakery, with other fields as given. */
export function bakery(
  change: Partial<Omit<ValuationDocument, 'inputs'>> & { inputs?: Inputs } = {},
): ValuationDocument {
  return {
    subject: { type: 'business', name: 'Corner Bakery' },
    engagement_type: 'indicative',
    purpose: 'sale',
    standard_of_value: 'fair_market_value',
    premise_of_value: 'going_concern',
    level_of_value: 'control_nonmarketable',
    interest: { percent: '100', kind: 'equity' },
    valuation_date: '2026-06-30',
    currency: 'USD',
    ...change,
    inputs: { periods: [year2025], adjustments: [payOfAnn], ...change.inputs },
  }
}

/** What the bakery's document names, with a benchmark set of the given rows. */
export const resolvedWith = (
  change: Partial<Resolved> & { rows?: readonly BenchmarkRow[] } = {},
): Resolved => ({
  name: 'Corner Bakery',
  naics_code: change.naics_code ?? null,
  benchmark_set: {
    benchmark_set_id: '00000000-0000-4000-8000-000000000001',
    sha256: '0'.repeat(64),
    rows: change.rows ?? [],
  },
  evidence: change.evidence ?? [],
  holdings: change.holdings ?? [],
})

/** What a part of the engine gets for the document. */
export const contextOf = (
  document: ValuationDocument,
  resolved: Resolved = resolvedWith(),
): EngineContext => ({ document, resolved, calc: createCalculation() })
