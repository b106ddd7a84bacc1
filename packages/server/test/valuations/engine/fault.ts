import assert from 'node:assert/strict'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { InvalidDocument, type DocumentFault } from '../../../src/valuations/engine/engine.ts'
import { documentFaults } from '../../../src/valuations/engine/guards/document-faults.ts'

/** That an InvalidDocument was thrown, with one fault. */
export const fault = (pointer: string, code: string) => (error: unknown) => {
  assert.ok(error instanceof InvalidDocument, String(error))
  assert.deepEqual(
    error.faults.map(one => ({ pointer: one.pointer, code: one.code })),
    [{ pointer, code }],
  )
  assertDemands(error.faults)
  return true
}

/** The faults of a document, each of which says what would be right. */
export function faultsIn(document: ValuationDocument): DocumentFault[] {
  const faults = documentFaults(document)
  assertDemands(faults)
  return faults
}

/** A rule that is told as a fact, such as "The growth is below the discount rate", reads as what the document says. */
export function assertDemands(faults: readonly { detail: string }[]): void {
  for (const { detail } of faults)
    assert.doesNotMatch(
      detail,
      /\b(?:is|are) (?:above|below|at most|at least|between|on or after)\b|(?<!must )\badds? up\b/,
    )
}
