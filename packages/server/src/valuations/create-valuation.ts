import { createValuation } from '@wbs/contract/valuations/valuations'
import type { InputOf } from '@wbs/contract/operation'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { implement, type VisitorContext, type VisitorOutcome } from '../call/implement.ts'
import { readNamed } from './resolving/resolve-document.ts'
import type { CallerOfChange } from '../rooms/room-access.ts'
import { storedDocument } from './valuation.ts'
import { completeValuation, insertValuation } from './valuation-change-store.ts'
import { roomsToTell, valuationEvent, valuationEventsFor } from './valuation-events.ts'
import { presentValuation } from './valuation-view.ts'
import type { ValueInTurn } from './engine-threads/engine-order.ts'
import { requireNew } from './valuing.ts'

type Op = typeof createValuation
type Input = InputOf<Op>

/** `visitor`: what a visitor gets. */
export const handleCreateValuation = (
  value: ValueInTurn,
  visitor: (input: Input, context: VisitorContext<Op, ValueInTurn>) => Promise<VisitorOutcome<Op>>,
) =>
  implement<Op, unknown, ValueInTurn>(
    createValuation,
    async function createValuation({ run = false, ...given }, context) {
      const { tx, caller, standing, now, computed, refuse } = context
      const document = storedDocument(given)
      const [named, rooms] = await readNamedAndRooms(document, context)
      const { workspace_id } = standing
      const asked = { workspace_id, named, document }
      const valued = requireNew(computed, asked, run, refuse)
      const draft = insertValuation(tx, { workspace_id, document, created_by: caller.user_id }, now)
      const saved = valued ? completeValuation(tx, draft, valued, now, { isNew: true }) : draft
      const told = valued
        ? valuationEventsFor('valuation.completed', { ...saved, workspace_id }, rooms)
        : null
      return {
        result: { data: presentValuation(saved) },
        revision: saved.revision,
        resource: { type: 'valuation', id: saved.valuation_id },
        events: [valuationEvent('valuation.created', saved), ...(told?.events ?? [])],
        jobs: told?.jobs ?? [],
      }
    },
    {
      prefetch: (input, context) => readNamedAndRooms(storedDocument(input), context),
      compute: value,
      visitor,
    },
  )

const readNamedAndRooms = (document: ValuationDocument, context: CallerOfChange) =>
  Promise.all([
    readNamed(context, context.tx, document, null),
    roomsToTell(context.tx, context.standing.workspace_id, document.business_id ?? null),
  ])
