import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { ComputedBy } from '../call/waiting/compute.ts'
import type { Refuse } from '../call/problem.ts'
import { Unvaluable, type DocumentFault, type Resolved } from './engine/engine.ts'
import { missingEvidence } from './engine/evidence/missing-evidence.ts'
import { documentFaults } from './engine/guards/document-faults.ts'
import type { ValuedTexts, ValueInTurn, ValueOutcome } from './engine-threads/engine-order.ts'
import { requireResolved, type NamedByDocument } from './resolving/resolve-document.ts'

/** A document, and what it names. */
export interface Asked {
  /** Whose turn it is in the threads of the engine. */
  workspace_id: string
  named: NamedByDocument
  document: ValuationDocument
}

/** What the engine makes of a document, once everything else of a change has been judged. */
type Computed = ComputedBy<ValueInTurn>

type RefuseDocument = Refuse<'not_found' | 'validation_error'>
type RefuseRun = Refuse<'not_found' | 'evidence_required' | 'unprocessable_content'>

/**
 * Throws validation_error if a document is wrong, and not_found if the caller cannot see something that it names. What only
 * computing shows is tried if the document has methods.
 */
export function requireSound(computed: Computed, asked: Asked, refuse: RefuseDocument): void {
  const { workspace_id, named, document } = asked
  requireNone(documentFaults(document), refuse)
  const resolved = requireResolved(named, document, 'draft', refuse)
  const { faults } = computed({ workspace_id, document, resolved, judge: true, run: null })
  requireNone(faults, refuse)
}

/** `requireSound` of a new document, and `runDocument` if it is to be run; it is computed once. Null unless it is run. */
export function requireNew(
  computed: Computed,
  asked: Asked,
  run: boolean,
  refuse: RefuseDocument & RefuseRun,
): ValuedTexts | null {
  if (!run) {
    requireSound(computed, asked, refuse)
    return null
  }
  const { workspace_id, named, document } = asked
  requireNone(documentFaults(document), refuse)
  const ready = readyToRun(asked, refuse)
  const outcome = computed({
    workspace_id,
    document,
    resolved: ready instanceof Error ? requireResolved(named, document, 'draft', refuse) : ready,
    judge: true,
    run: ready instanceof Error ? null : {},
  })
  requireNone(outcome.faults, refuse)
  if (ready instanceof Error) throw ready
  return requireValued(outcome, refuse)
}

/**
 * Values a document that `requireSound` accepted. Throws not_found if the caller cannot see something that it names any more,
 * evidence_required if evidence is missing, and unprocessable_content if the document gives no conclusion: what it names may
 * have changed. `seed`: of the Monte Carlo range.
 */
export function runDocument(
  computed: Computed,
  asked: Asked,
  seed: number | undefined,
  refuse: RefuseRun,
): ValuedTexts {
  const { workspace_id, document } = asked
  const resolved = readyToRun(asked, refuse)
  if (resolved instanceof Error) throw resolved
  const run = seed === undefined ? {} : { seed }
  return requireValued(computed({ workspace_id, document, resolved, judge: false, run }), refuse)
}

/** What a document names, or why it cannot be run as far as that shows without computing. Throws not_found. */
function readyToRun({ named, document }: Asked, refuse: RefuseRun): Resolved | Error {
  try {
    const resolved = requireResolved(named, document, 'run', refuse)
    const missing = missingEvidence(document, resolved)
    if (missing.length === 0) return resolved
    return refuse.evidence_required(missing.map(({ detail }) => detail).join(' '), {
      missing_evidence: missing,
    })
  } catch (error) {
    if (error instanceof Unvaluable) return refuse.unprocessable_content(error.message)
    throw error
  }
}

function requireValued({ valued, unvaluable }: ValueOutcome, refuse: RefuseRun): ValuedTexts {
  if (valued) return valued
  throw refuse.unprocessable_content(unvaluable ?? 'The document gives no conclusion.')
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
