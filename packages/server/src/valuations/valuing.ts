import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { Refuse } from '../call/problem.ts'
import type { Concluded } from './engine/conclude.ts'
import { InvalidDocument, Unvaluable, type DocumentFault, type Valued } from './engine/engine.ts'
import { missingEvidence } from './engine/evidence/missing-evidence.ts'
import { documentFaults } from './engine/guards/document-faults.ts'
import { concludeDocument, judged, valueConcluded } from './engine/value-document.ts'
import { requireResolved, type NamedByDocument } from './resolving/resolve-document.ts'

/**
 * Throws validation_error if a document is wrong, and not_found if the caller cannot see something that it names. What only
 * computing shows is tried if the document has methods; the conclusion is returned if there is one.
 */
export function requireSound(
  named: NamedByDocument,
  document: ValuationDocument,
  refuse: Refuse<'not_found' | 'validation_error'>,
): Concluded | null {
  requireNone(documentFaults(document), refuse)
  const { faults, concluded } = judged(document, requireResolved(named, document, 'draft', refuse))
  requireNone(faults, refuse)
  return concluded
}

function requireNone(faults: readonly DocumentFault[], refuse: Refuse<'validation_error'>): void {
  const errors = faults.map(fault => ({ in: 'body' as const, ...fault }))
  const [first] = errors
  if (!first) return
  throw refuse.validation_error(
    errors.length === 1 ? first.detail : `The document has ${errors.length} errors.`,
    { errors },
  )
}

/**
 * Values a document that `requireSound` accepted. Throws not_found if the caller cannot see something that it names any more,
 * evidence_required if evidence is missing, and unprocessable_content if the document gives no conclusion: what it names may
 * have changed. `sound`: what `requireSound` returned just now, which is not computed again.
 */
export function runDocument(
  named: NamedByDocument,
  document: ValuationDocument,
  { seed, sound = null }: { seed?: number | undefined; sound?: Concluded | null },
  refuse: Refuse<'not_found' | 'evidence_required' | 'unprocessable_content'>,
): Valued {
  try {
    const resolved = requireResolved(named, document, 'run', refuse)
    const missing = missingEvidence(document, resolved)
    if (missing.length > 0)
      throw refuse.evidence_required(missing.map(({ detail }) => detail).join(' '), {
        missing_evidence: missing,
      })
    // A draft leaves out holdings without a value, where a run was refused just now: here both have the same holdings.
    const concluded = sound ?? concludeDocument(document, resolved)
    return valueConcluded(document, concluded, seed === undefined ? {} : { seed })
  } catch (error) {
    if (error instanceof InvalidDocument || error instanceof Unvaluable)
      throw refuse.unprocessable_content(error.message)
    throw error
  }
}
