import { reviseValuation, valuationMachine } from '@wbs/contract/valuations/valuations'
import { implement } from '../call/implement.ts'
import type { Refuse } from '../call/problem.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { readNamed, requireResolved } from './resolving/resolve-document.ts'
import { changedDocument, changedFields } from './valuation.ts'
import { beforeValuationChange, openValuation } from './valuation-access.ts'
import { insertValuation, saveSuperseded } from './valuation-change-store.ts'
import { roomsToTell, valuationEvent, valuationEventsFor } from './valuation-events.ts'
import type { ValuationRow } from './valuation-store.ts'
import { presentValuation } from './valuation-view.ts'
import type { ValueInTurn } from './engine-threads/engine-order.ts'
import { requireSound } from './valuing.ts'

export const handleReviseValuation = (value: ValueInTurn) =>
  implement<typeof reviseValuation, unknown, ValueInTurn>(
    reviseValuation,
    async function reviseValuation({ valuation_id, expected_revision, ...changes }, context) {
      const { tx, caller, now, computed, refuse } = context
      const earlier = await openValuation(context, valuation_id)
      const { workspace_id, business_id, evidence } = earlier
      const document = changedDocument(earlier.document, changes)
      const [named, rooms] = await Promise.all([
        readNamed(context, tx, document, valuation_id),
        roomsToTell(tx, workspace_id, business_id),
      ])
      requireResolved(named, document, 'draft', refuse)
      requireMove(valuationMachine, 'revise', earlier.status, 'The valuation is a draft. Update it.', refuse)
      requireNotSuperseded(earlier, refuse)
      const changed = changedFields(earlier.document, document)
      requireRevision(earlier, expected_revision, changed, refuse)
      requireSound(computed, { workspace_id, named, document }, refuse)
      const draft = insertValuation(
        tx,
        { workspace_id, document, created_by: caller.user_id, supersedes_id: earlier.valuation_id, evidence },
        now,
      )
      saveSuperseded(tx, earlier, draft.valuation_id, now)
      const told = valuationEventsFor('valuation.superseded', { ...earlier, workspace_id }, rooms)
      return {
        result: { data: presentValuation(draft) },
        revision: draft.revision,
        resource: { type: 'valuation', id: draft.valuation_id },
        changed,
        events: [valuationEvent('valuation.created', draft), ...told.events],
        jobs: told.jobs,
      }
    },
    { ...beforeValuationChange, compute: value },
  )

/** Throws state_conflict if another valuation replaces this one already. */
function requireNotSuperseded(
  { status, superseded_by_id }: ValuationRow,
  refuse: Refuse<'state_conflict'>,
): void {
  if (superseded_by_id !== null)
    throw refuse.state_conflict('Another valuation replaces this one already. Revise that one.', {
      current_status: status,
    })
}
