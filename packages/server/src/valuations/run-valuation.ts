import { runValuation, valuationMachine } from '@wbs/contract/valuations/valuations'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { requireMove } from '../call/state.ts'
import { readNamed } from './resolving/resolve-document.ts'
import { beforeValuationChange, openValuation } from './valuation-access.ts'
import { completeValuation } from './valuation-change-store.ts'
import { roomsToTell, valuationEventsFor } from './valuation-events.ts'
import { presentValuation } from './valuation-view.ts'
import type { ValueInTurn } from './engine-threads/engine-order.ts'
import { runDocument } from './valuing.ts'

export const handleRunValuation = (value: ValueInTurn) =>
  implement<typeof runValuation, unknown, ValueInTurn>(
    runValuation,
    async function runValuation({ valuation_id, expected_revision, seed }, context) {
      const { tx, now, computed, refuse } = context
      const draft = await openValuation(context, valuation_id)
      const { document, workspace_id, business_id } = draft
      const [named, rooms] = await Promise.all([
        readNamed(context, tx, document, valuation_id),
        roomsToTell(tx, workspace_id, business_id),
      ])
      requireMove(valuationMachine, 'run', draft.status, 'The valuation has already been run.', refuse)
      requireRevision(draft, expected_revision, ['status'], refuse)
      const valued = runDocument(computed, { workspace_id, named, document }, seed, refuse)
      const saved = completeValuation(tx, draft, valued, now)
      const { events, jobs } = valuationEventsFor('valuation.completed', { ...saved, workspace_id }, rooms)
      return {
        result: { data: presentValuation(saved) },
        revision: saved.revision,
        resource: { type: 'valuation', id: valuation_id },
        changed: ['status', 'result'],
        events,
        jobs,
      }
    },
    { ...beforeValuationChange, compute: value },
  )
