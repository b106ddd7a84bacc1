import type { InputOf } from '@wbs/contract/operation'
import { addValuationEvidence } from '@wbs/contract/valuations/evidence'
import { valuationMachine } from '@wbs/contract/valuations/valuations'
import { implement } from '../../call/implement.ts'
import type { Refuse } from '../../call/problem.ts'
import { requireMove } from '../../call/state.ts'
import { versionToRead, type ReadableVersion } from '../../files/content/version-store.ts'
import { requireActiveFile } from '../../files/file-access.ts'
import { lockFile } from '../../files/file-lock-store.ts'
import { viewerOf, type CallerOfChange } from '../../rooms/room-access.ts'
import { beforeValuationChange, openValuation } from '../valuation-access.ts'
import { valuationEvent } from '../valuation-events.ts'
import type { OpenedValuation } from '../valuation-store.ts'
import { insertEvidence } from './evidence-store.ts'

type Op = typeof addValuationEvidence
type Input = InputOf<Op>

export const handleAddValuationEvidence = implement(
  addValuationEvidence,
  async function addValuationEvidence(input, context) {
    const { code, file_id, pointer = null, dated_on, known_or_knowable = false, note = null } = input
    const { tx, caller, now, refuse } = context
    const [[file, version], draft] = await Promise.all([
      lockFileAndRead(input, context),
      openValuation(context, input.valuation_id),
    ])
    if (!file) throw refuse.not_found('There is no such File, or you cannot see it.')
    if (!version) throw refuse.not_found('The File has no such version.')
    const detail = 'The valuation is completed and never changes. Revise it.'
    requireMove(valuationMachine, 'add_evidence', draft.status, detail, refuse)
    requireActiveFile(file, refuse)
    requireReady(version, refuse)
    requireKnown(draft, { dated_on, known_or_knowable }, refuse)
    if (draft.evidence.length >= mostEvidence)
      throw refuse.limit_reached(`A valuation can have at most ${mostEvidence} pieces of evidence.`)
    const { file_version_id, sha256 } = version
    const pinned = { code, file_id, file_version_id, sha256, pointer, dated_on, known_or_knowable, note }
    const evidence = insertEvidence(tx, draft, { ...pinned, added_by: caller.user_id }, now)
    const { evidence_id } = evidence
    return {
      result: { data: evidence },
      revision: draft.revision + 1,
      resource: { type: 'valuation', id: draft.valuation_id },
      changed: ['evidence'],
      events: [valuationEvent('valuation.evidence_added', draft, { evidence_id, code })],
    }
  },
  {
    ...beforeValuationChange,
    prefetch: (input, context) =>
      Promise.all([lockFileAndRead(input, context), beforeValuationChange.prefetch(input, context)]),
  },
)

/** A list of the evidence is bounded, and the engine reads all of it. */
const mostEvidence = 200

/** Locks the File, so that the caller's access to it stays, and reads the version: the named one, or the current one. */
const lockFileAndRead = ({ file_id, file_version_id }: Input, context: CallerOfChange) =>
  Promise.all([
    lockFile(context.tx, viewerOf(context), file_id, context.standing.seal),
    versionToRead(context.tx, context.standing.workspace_id, {
      file_id,
      ...(file_version_id !== undefined && { file_version_id }),
    }),
  ])

function requireReady({ processing_status }: ReadableVersion, refuse: Refuse<'state_conflict'>): void {
  if (processing_status !== 'ready')
    throw refuse.state_conflict('The content of the File is not ready.', {
      current_status: processing_status,
    })
}

/** Throws validation_error for evidence of later than the valuation date, unless it was known or could be known then. */
function requireKnown(
  { document: { valuation_date } }: OpenedValuation,
  { dated_on, known_or_knowable }: { dated_on: string; known_or_knowable: boolean },
  refuse: Refuse<'validation_error'>,
): void {
  if (dated_on <= valuation_date || known_or_knowable) return
  const detail =
    'Evidence that is dated after the valuation date needs known_or_knowable to be true: say so if it was known or could be known at that date.'
  throw refuse.validation_error(detail, {
    errors: [{ in: 'body', pointer: '/known_or_knowable', code: 'requires', detail }],
  })
}
