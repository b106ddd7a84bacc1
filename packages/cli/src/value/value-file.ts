import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { defaultBenchmarkSet } from '@wbs/server/valuations/benchmark-sets/default-benchmark-set'
import { calculationTree } from '@wbs/server/valuations/engine/calculation/tree'
import {
  InvalidDocument,
  Unvaluable,
  type DocumentFault,
  type Resolved,
  type Valued,
} from '@wbs/server/valuations/engine/engine'
import { missingEvidence } from '@wbs/server/valuations/engine/evidence/missing-evidence'
import { judgeDocument, valueDocument } from '@wbs/server/valuations/engine/value-document'
import { htmlReport } from '@wbs/server/valuations/report/html/html-report'
import { markdownReport } from '@wbs/server/valuations/report/markdown'
import { reportOf } from '@wbs/server/valuations/report/report'
import { openOutput } from '../output-file.ts'
import type { ValueFlags } from './flags.ts'
import { readDocument } from './read-document.ts'
import { treeText } from './tree-text.ts'

/** The document cannot be valued. The message has a line for each reason. */
class Refused extends Error {}

/**
 * `wbs value`. Gives the exit code: 0 if the document was valued, 2 if it cannot be valued, which stderr explains. Throws
 * CommandError if the file cannot be read or the output cannot be written.
 */
export async function valueFile(path: string, flags: ValueFlags): Promise<number> {
  try {
    const read = await readDocument(path)
    if ('errors' in read) throw refusedFor(read.errors)
    const { document } = read
    const resolved = resolvedOffline(document, flags.naics ?? null)
    refuseFaulty(document, resolved)
    tellOfMissing(document, resolved, flags.withoutEvidence === true)
    const valued = valueDocument(document, resolved, flags.seed === undefined ? {} : { seed: flags.seed })
    await write(textOf(document, resolved.name, valued, flags.format), flags)
    return 0
  } catch (error) {
    const reasons = reasonsOf(error)
    if (reasons === null) throw error
    console.error(reasons)
    return 2
  }
}

function reasonsOf(error: unknown): string | null {
  if (error instanceof InvalidDocument) return refusedFor(error.faults).message
  return error instanceof Refused || error instanceof Unvaluable ? error.message : null
}

const refusedFor = (
  faults: readonly (Pick<DocumentFault, 'pointer' | 'detail'> & { suggestion?: string })[],
) =>
  new Refused(
    faults
      .map(({ pointer, detail, suggestion }) => {
        const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
        return `${pointer === '' ? 'The document' : pointer}: ${detail}${hint}`
      })
      .join('\n'),
  )

/** What the document names, as far as it is known without a service. Throws Refused for what only a service has. */
function resolvedOffline({ subject, inputs }: ValuationDocument, naics_code: string | null): Resolved {
  if (subject.type === 'portfolio')
    throw refusedFor([
      { pointer: '/subject', detail: 'The holdings of a portfolio are in the service. Value it there.' },
    ])
  const set = inputs.benchmark_set_id ?? defaultBenchmarkSet.benchmark_set_id
  if (set !== defaultBenchmarkSet.benchmark_set_id)
    throw refusedFor([
      { pointer: '/inputs/benchmark_set_id', detail: 'Only the benchmark set of the service is known here.' },
    ])
  return {
    name: subject.name ?? (subject.type === 'asset' ? 'The asset' : 'The business'),
    naics_code,
    benchmark_set: defaultBenchmarkSet,
    evidence: [],
    holdings: [],
  }
}

function refuseFaulty(document: ValuationDocument, resolved: Resolved): void {
  const faults = judgeDocument(document, resolved)
  if (faults.length > 0) throw refusedFor(faults)
}

/** Evidence is Files of a Workspace, so there is none here. */
function tellOfMissing(document: ValuationDocument, resolved: Resolved, goesOn: boolean): void {
  const missing = missingEvidence(document, resolved)
  if (missing.length === 0) return
  const refusal = refusedFor(missing)
  if (!goesOn)
    throw new Refused(`${refusal.message}\nEvidence is missing. --without-evidence values it anyway.`)
  console.error(`${refusal.message}\nEvidence is missing, so the service would not run this document.`)
}

function textOf(
  document: ValuationDocument,
  name: string,
  { result, calculation }: Valued,
  format: ValueFlags['format'],
): string {
  if (format === 'tree') return treeText(document, name, result, calculation)
  if (format === 'json')
    return `${JSON.stringify({ result, calculation: calculationTree(calculation) }, null, 2)}\n`
  const subject = {
    valuation_id: null,
    name,
    document,
    result,
    calculation,
    evidence: [],
    signature: null,
    completed_at: null,
    superseded_by_id: null,
  }
  return format === 'md' ? markdownReport(reportOf(subject)) : htmlReport(reportOf(subject))
}

async function write(text: string, flags: ValueFlags): Promise<void> {
  const output = await openOutput(flags.output, flags.force === true)
  try {
    await output.write(text)
    await output.commit()
  } catch (error) {
    await output.discard()
    throw error
  }
}
