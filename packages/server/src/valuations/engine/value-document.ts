import { createHash } from 'node:crypto'
import { canonicalJson } from '@wbs/contract/json/canonical-json'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { type Concluded, conclude } from './conclude.ts'
import { type DocumentFault, InvalidDocument, type Resolved, Unvaluable, type Valued } from './engine.ts'
import { evidenceFaults } from './evidence/evidence-faults.ts'
import { documentFaults } from './guards/document-faults.ts'
import { resultOf } from './result/result-of.ts'
import { sensitivityOf } from './sensitivity/sensitivity.ts'

/**
 * Values a document. The same arguments give the same bytes, in whatever order the document has its keys. `seed`: of the Monte
 * Carlo range; by default it follows from the hash of the document. Throws InvalidDocument, and Unvaluable.
 */
export function valueDocument(
  document: ValuationDocument,
  resolved: Resolved,
  options: { seed?: number } = {},
): Valued {
  return valueConcluded(document, concludeDocument(document, resolved), options)
}

/** The same of a document that was concluded already. */
export function valueConcluded(
  document: ValuationDocument,
  concluded: Concluded,
  { seed }: { seed?: number },
): Valued {
  const input_hash = hashOfInput(concluded.document)
  const used = seed ?? seedOf(input_hash)
  const { point } = concluded.reconciled
  const { currency } = document
  const found = sensitivityOf(concluded.calculation, point.value, { seed: used, currency })
  const unhashed = resultOf(concluded, found, { seed: used, input_hash })
  const result_hash = hashOf(canonicalText(unhashed))
  return {
    result: { ...unhashed, engine: { ...unhashed.engine, result_hash } },
    calculation: concluded.calculation,
  }
}

/**
 * What is wrong with a document, also with the evidence that it names, and what shows only in the course of the calculation. A
 * draft may have no methods yet.
 */
export function judgeDocument(document: ValuationDocument, resolved: Resolved): DocumentFault[] {
  const faults = documentFaults(document)
  return faults.length > 0
    ? [...faults, ...evidenceFaults(document, resolved)]
    : judged(document, resolved).faults
}

/** The same of a document in which `documentFaults` found nothing, with its conclusion; null where there is none. */
export function judged(
  document: ValuationDocument,
  resolved: Resolved,
): { faults: DocumentFault[]; concluded: Concluded | null } {
  const faults = evidenceFaults(document, resolved)
  const isComplete = document.subject.type === 'portfolio' || (document.methods ?? []).length > 0
  if (faults.length > 0 || !isComplete) return { faults, concluded: null }
  try {
    return { faults, concluded: conclude(inCanonicalOrder(document), resolved) }
  } catch (error) {
    if (error instanceof InvalidDocument) return { faults: [...error.faults], concluded: null }
    if (error instanceof Unvaluable) return { faults, concluded: null }
    throw error
  }
}

/** The point of the conclusion and what leads to it, without its sensitivity. Throws InvalidDocument, and Unvaluable. */
export function concludeDocument(document: ValuationDocument, resolved: Resolved): Concluded {
  const faults = documentFaults(document)
  if (faults.length > 0) throw new InvalidDocument(...faults)
  return conclude(inCanonicalOrder(document), resolved)
}

/** The SHA-256 of the document as in RFC 8785, without `run`, the id of the subject and business_id. */
export const inputHash = (document: ValuationDocument): string => hashOfInput(withoutAbsent(document))

/** The same of a document without members that are undefined. */
function hashOfInput(document: ValuationDocument): string {
  const { business_id: _business, run: _run, ...rest } = document as ValuationDocument & { run?: boolean }
  const { id: _id, ...subject } = rest.subject
  return hashOf(canonicalText({ ...rest, subject }))
}

/** A seed of 52 bits. */
const seedOf = (hash: string): number => Number.parseInt(hash.slice(0, 13), 16)

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A document in whose records the order of the keys says nothing. */
const inCanonicalOrder = (document: ValuationDocument): ValuationDocument =>
  JSON.parse(canonicalText(withoutAbsent(document))) as ValuationDocument

/** A member that is undefined is no member. */
const withoutAbsent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

/** As in RFC 8785. */
function canonicalText(value: object): string {
  const text = canonicalJson(value)
  if (text === null) throw new Error('The value has a number that JSON cannot write.')
  return text
}
