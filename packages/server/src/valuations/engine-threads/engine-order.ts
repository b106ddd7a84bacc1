import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { defaultBenchmarkSet } from '../benchmark-sets/default-benchmark-set.ts'
import { type Compared, compareValuations, type Comparison } from '../engine/comparing/compare.ts'
import {
  type BenchmarkSet,
  type DocumentFault,
  InvalidDocument,
  type Resolved,
  Unvaluable,
} from '../engine/engine.ts'
import { concludeDocument, judged, valueConcluded } from '../engine/value-document.ts'

/** What a document names, as it is sent to a thread. The benchmark set of the service is null, since every thread has it. */
export type SentResolved = Omit<Resolved, 'benchmark_set'> & { benchmark_set: BenchmarkSet | null }

export const sentResolved = (resolved: Resolved): SentResolved =>
  resolved.benchmark_set === defaultBenchmarkSet ? { ...resolved, benchmark_set: null } : resolved

const received = ({ benchmark_set, ...rest }: SentResolved): Resolved => ({
  ...rest,
  benchmark_set: benchmark_set ?? defaultBenchmarkSet,
})

export interface ValueOrder {
  /** One in which `documentFaults` found nothing, as JSON, which costs less than a structured clone. */
  document: string
  resolved: SentResolved
  /** Whether to look for faults that only computing shows. */
  judge: boolean
  /** Whether to value it, if it has no faults. `seed`: of the Monte Carlo range. */
  run: { seed?: number } | null
}

/** A document that is to be valued or judged, and what it names. */
export interface AskedOfEngine extends Omit<ValueOrder, 'document' | 'resolved'> {
  /** Whose turn it is. */
  workspace_id: string
  document: ValuationDocument
  resolved: Resolved
}

/**
 * Values a document in its turn. While it waits for its turn, it is dropped if its client has `gone`, with the reason of the signal;
 * once a thread computes it, it goes on.
 */
export type ValueInTurn = (asked: AskedOfEngine, gone?: AbortSignal) => Promise<ValueOutcome>

export interface ValueOutcome {
  faults: readonly DocumentFault[]
  /** Why there is no conclusion; null unless it was to be valued. */
  unvaluable: string | null
  valued: ValuedTexts | null
}

/** A result and its calculation, as JSON. */
export interface ValuedTexts {
  result: string
  calculation: string
}

export interface CompareOrder {
  before: SentCompared
  after: SentCompared
}

export type SentCompared = Omit<Compared, 'resolved'> & { resolved: SentResolved }

/** What the engine is asked for. */
export type EngineOrder = { value: ValueOrder } | { compare: CompareOrder }

export type EngineOutcome = { value: ValueOutcome } | { compare: Comparison }

export function carryOutOrder(order: EngineOrder): EngineOutcome {
  if ('value' in order) return { value: valueOutcome(order.value) }
  const { before, after } = order.compare
  const whole = (sentCompared: SentCompared): Compared => ({
    ...sentCompared,
    resolved: received(sentCompared.resolved),
  })
  return { compare: compareValuations(whole(before), whole(after)) }
}

function valueOutcome({ document: text, resolved: sent, judge, run }: ValueOrder): ValueOutcome {
  const document = JSON.parse(text) as ValuationDocument
  const resolved = received(sent)
  const { faults, concluded } = judge ? judged(document, resolved) : { faults: [], concluded: null }
  if (faults.length > 0 || !run) return { faults, unvaluable: null, valued: null }
  try {
    const { result, calculation } = valueConcluded(
      document,
      concluded ?? concludeDocument(document, resolved),
      run,
    )
    const valued = { result: JSON.stringify(result), calculation: JSON.stringify(calculation) }
    return { faults, unvaluable: null, valued }
  } catch (error) {
    if (!(error instanceof InvalidDocument) && !(error instanceof Unvaluable)) throw error
    return { faults, unvaluable: error.message, valued: null }
  }
}
