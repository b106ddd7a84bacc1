import type { InputOf } from '@wbs/contract/operation'
import { readStatements } from '@wbs/contract/valuations/statements'
import { valuationMachine } from '@wbs/contract/valuations/valuations'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { requireMove } from '../../call/state.ts'
import { requireReadable } from '../../files/content/content-access.ts'
import type { ValueInTurn } from '../engine-threads/engine-order.ts'
import { readNamed, requireResolved } from '../resolving/resolve-document.ts'
import { changedDocument, changedFields } from '../valuation.ts'
import { beforeValuationChange, openValuation } from '../valuation-access.ts'
import { saveDocument } from '../valuation-change-store.ts'
import { valuationEvent } from '../valuation-events.ts'
import { presentValuation } from '../valuation-view.ts'
import { requireSound } from '../valuing.ts'
import { readVersion, requireStatements, type ReadVersion } from './statement-access.ts'

type Op = typeof readStatements
type Input = InputOf<Op>

export const handleReadStatements = (value: ValueInTurn, blobs: Pick<BlobStore, 'read'>) =>
  implement<Op, ReadVersion, ValueInTurn>(
    readStatements,
    async function readValuationStatements(input, context) {
      const { tx, now, prepared, computed, refuse } = context
      const draft = await openValuation(context, input.valuation_id)
      const [{ file, version }, named] = await Promise.all([
        requireReadable(context, tx, input),
        readNamed(context, tx, draft.document, draft.valuation_id),
      ])
      requireResolved(named, draft.document, 'draft', refuse)
      requireMove(valuationMachine, 'update', draft.status, isCompleted, refuse)
      requireRevision(draft, input.expected_revision, ['inputs'], refuse)
      const { periods, unmapped } = requireStatements(version, prepared, refuse)
      const document = changedDocument(draft.document, { inputs: { ...draft.document.inputs, periods } })
      requireSound(computed, { workspace_id: draft.workspace_id, named, document }, refuse)
      const changed = changedFields(draft.document, document)
      const saved = changed.length > 0 ? saveDocument(tx, draft, document, now) : draft
      return {
        result: {
          data: presentValuation(saved),
          statements: {
            file_id: file.file_id,
            file_version_id: version.file_version_id,
            sha256: version.sha256,
            unmapped,
          },
        },
        revision: saved.revision,
        resource: { type: 'valuation', id: saved.valuation_id },
        changed,
        events: changed.length > 0 ? [valuationEvent('valuation.updated', saved, { changed })] : [],
      }
    },
    {
      ...beforeValuationChange,
      compute: value,
      prepare: (input: Input, context) => readVersion(blobs, context.read, context, input),
    },
  )

const isCompleted = 'The valuation is completed and never changes. Revise it.'
