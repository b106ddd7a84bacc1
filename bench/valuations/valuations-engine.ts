import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { defaultBenchmarkSet } from '../../packages/server/src/valuations/benchmark-sets/default-benchmark-set.ts'
import { valueDocument } from '../../packages/server/src/valuations/engine/value-document.ts'
import { quantile, rounded } from '../quantiles.ts'
import { document } from './valuations-document.ts'

const runs = 300

/** How long the engine takes for the document of the bench, in milliseconds, and how many bytes it makes. */
export function engineTimes() {
  const resolved = {
    name: 'Corner Bakery',
    naics_code: null,
    benchmark_set: defaultBenchmarkSet,
    evidence: [],
    holdings: [],
  }
  const value = () => valueDocument(document as unknown as ValuationDocument, resolved)
  for (let i = 0; i < 50; i++) value()
  const times: number[] = []
  for (let i = 0; i < runs; i++) {
    const begun = performance.now()
    value()
    times.push(performance.now() - begun)
  }
  const { result, calculation } = value()
  return {
    runs,
    p50_ms: rounded(quantile(times, 0.5)),
    p99_ms: rounded(quantile(times, 0.99)),
    nodes: calculation.length,
    result_bytes: JSON.stringify(result).length,
    calculation_bytes: JSON.stringify(calculation).length,
  }
}
