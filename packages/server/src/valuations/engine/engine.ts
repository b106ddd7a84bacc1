import type { BenchmarkRow } from '@wbs/contract/valuations/benchmark-sets'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { EvidenceCode } from '@wbs/contract/valuations/evidence'
import type { levelsOfValue, MethodName, ValuationMethod } from '@wbs/contract/valuations/methods'
import type { approaches, basisMetrics, ValuationResult } from '@wbs/contract/valuations/result'
import type { Calculation } from './calculation/calculation.ts'
import type { CalculationNode, StoredNode } from './calculation/node.ts'

/** The version of the engine. It changes whenever the same document may give another result. */
export const engineVersion = '1.0.0'

export type Level = (typeof levelsOfValue)[number]
export type Check = ValuationResult['checks'][number]

/** A benchmark set as the engine gets it. */
export interface BenchmarkSet {
  benchmark_set_id: string
  sha256: string
  rows: readonly BenchmarkRow[]
}

/** Evidence of a valuation. */
export interface EvidenceItem {
  evidence_id: string
  code: EvidenceCode
  /** YYYY-MM-DD. */
  dated_on: string
  known_or_knowable: boolean
}

/** What a portfolio holds, with the value of each holding. */
export interface ResolvedHolding {
  key: string
  subject_type: 'business' | 'asset' | 'portfolio'
  name: string
  /** From 0 to 100. */
  ownership_percent: string
  discount: { rate: string; reason: string } | null
  /** The holdings of a portfolio that is held; else the concluded value. */
  holds:
    | { portfolio: readonly ResolvedHolding[] }
    | { value: { amount: string; currency: string }; valuation_id: string; valuation_date: string }
}

/** What a document names, as the service found it. Offline there is only the name and the benchmark set of the service. */
export interface Resolved {
  /** The name of the subject, for the report. */
  name: string
  /** The NAICS code (2022) of the Business; null if it is not known. */
  naics_code: string | null
  benchmark_set: BenchmarkSet
  evidence: readonly EvidenceItem[]
  /** Only for a portfolio. */
  holdings: readonly ResolvedHolding[]
}

/** A fault of a document. */
export interface DocumentFault {
  /** A JSON pointer into the document. */
  pointer: string
  code: 'required' | 'conflict' | 'requires' | 'out_of_range' | 'unknown' | 'format'
  /** What would be right. */
  detail: string
}

/** Throw it where a fault shows only in the course of the calculation, such as growth above a computed discount rate. */
export class InvalidDocument extends Error {
  readonly faults: readonly DocumentFault[]
  constructor(...faults: readonly DocumentFault[]) {
    super(faults.map(({ detail }) => detail).join(' '))
    this.faults = faults
  }
}

export interface MissingEvidence {
  code: string
  pointer: string
  detail: string
  accepted: string[]
}

/** What every part of the engine gets. */
export interface EngineContext {
  document: ValuationDocument
  resolved: Resolved
  calc: Calculation
}

/** The normalized figures of a period. Null where the statements do not say enough. */
export interface NormalizedPeriod {
  key: string
  start: string
  end: string
  revenue: CalculationNode | null
  sde: CalculationNode | null
  ebitda: CalculationNode | null
  ebit: CalculationNode | null
  net_cash_flow: CalculationNode | null
  /** What each figure assumes, for the methods that use it. */
  assumptions: { sde?: string[]; ebitda?: string[]; ebit?: string[]; net_cash_flow?: string[] }
}

export interface Normalized {
  /** The oldest first. */
  periods: readonly NormalizedPeriod[]
  normalisation: ValuationResult['normalisation']
  earnings: ValuationResult['earnings']
  checks: Check[]
}

/** The rates that follow from the cost of capital. Null where the document does not give enough. */
export interface CostOfCapitalNodes {
  cost_of_equity: CalculationNode | null
  cost_of_debt: CalculationNode | null
  wacc: CalculationNode | null
}

/** What a method is the value of, before the bridge: equity, or all capital (free of cash and debt). */
export type Indicates = 'equity' | 'invested_capital'

/** What a method gives. `reason_rejected` is set if it gives nothing: its earnings are negative, for example. */
export interface MethodOutcome {
  method: MethodName | 'look_through'
  approach: (typeof approaches)[number]
  basis_metric: (typeof basisMetrics)[number] | null
  basis: CalculationNode | null
  /** The key of the period, or `weighted`. */
  period: string | null
  multiple: CalculationNode | null
  rate: CalculationNode | null
  base_level: Level
  indicates: Indicates
  indicated: CalculationNode | null
  reason_rejected: string | null
  /** Whether it only checks the others. */
  is_check: boolean
  checks: Check[]
  sources: { figure: string; source: string; as_of: string | null }[]
  assumptions: string[]
}

/** Computes one method. Throws InvalidDocument. `at` is the pointer of the method in the document. */
export type MethodFunction<Method extends ValuationMethod = ValuationMethod> = (
  context: EngineContext,
  parts: { normalized: Normalized; rates: CostOfCapitalNodes },
  method: Method,
  at: string,
) => MethodOutcome

/** A finished calculation. */
export interface Valued {
  result: ValuationResult
  calculation: StoredNode[]
}

/** Throw it where a valid document gives no conclusion: no method applies, or the benchmark set has no fitting multiple. */
export class Unvaluable extends Error {}
