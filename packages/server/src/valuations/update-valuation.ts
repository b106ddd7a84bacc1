import { updateValuation, valuationMachine } from '@wbs/contract/valuations/valuations'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { readNamed, requireResolved } from './resolving/resolve-document.ts'
import { changedDocument, changedFields } from './valuation.ts'
import { beforeValuationChange, openValuation } from './valuation-access.ts'
import { saveDocument } from './valuation-change-store.ts'
import { valuationEvent } from './valuation-events.ts'
import { presentValuation } from './valuation-view.ts'
import type { ValueInTurn } from './engine-threads/engine-order.ts'
import { requireSound } from './valuing.ts'

export const handleUpdateValuation = (value: ValueInTurn) =>
  implement<typeof updateValuation, unknown, ValueInTurn>(
    updateValuation,
    async function updateValuation({ valuation_id, expected_revision, ...changes }, context) {
      const { tx, now, computed, refuse } = context
      const draft = await openValuation(context, valuation_id)
      const document = changedDocument(draft.document, changes)
      const named = await readNamed(context, tx, document, valuation_id)
      requireResolved(named, document, 'draft', refuse)
      requireMove(valuationMachine, 'update', draft.status, isCompleted, refuse)
      const changed = changedFields(draft.document, document)
      requireRevision(draft, expected_revision, changed, refuse)
      requireSound(computed, { workspace_id: draft.workspace_id, named, document }, refuse)
      const saved = changed.length > 0 ? saveDocument(tx, draft, document, now) : draft
      return {
        result: { data: presentValuation(saved) },
        revision: saved.revision,
        resource: { type: 'valuation', id: valuation_id },
        changed,
        events: changed.length > 0 ? [valuationEvent('valuation.updated', saved, { changed })] : [],
      }
    },
    { ...beforeValuationChange, compute: value },
  )

const isCompleted = 'The valuation is completed and never changes. Revise it.'
