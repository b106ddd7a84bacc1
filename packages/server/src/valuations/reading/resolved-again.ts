import { Problem, type Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import type { CallerInWorkspace } from '../../rooms/room-access.ts'
import { Unvaluable, type Resolved } from '../engine/engine.ts'
import { readNamed, requireResolved } from '../resolving/resolve-document.ts'
import type { ValuationRow } from '../valuation-store.ts'

/**
 * What the document of a completed valuation names, as the caller finds it now. What they cannot see any more is left out, as
 * if it did not exist: the valuation itself stays readable.
 */
export async function resolvedAgain(
  context: CallerInWorkspace & { refuse: Refuse<'not_found'> },
  reader: Reader,
  { document, valuation_id }: Pick<ValuationRow, 'document' | 'valuation_id'>,
): Promise<Resolved> {
  const named = await readNamed(context, reader, document, valuation_id)
  try {
    return requireResolved(named, document, 'run', context.refuse)
  } catch (error) {
    if (!(error instanceof Unvaluable) && !(error instanceof Problem)) throw error
    return {
      name: document.subject.name ?? nameOfType[document.subject.type],
      naics_code: null,
      benchmark_set: named.benchmark_set ?? { benchmark_set_id: '', sha256: '', rows: [] },
      evidence: named.evidence,
      holdings: [],
    }
  }
}

/** What a subject without a name is called. */
export const nameOfType = {
  business: 'The business',
  asset: 'The asset',
  portfolio: 'The portfolio',
} as const
