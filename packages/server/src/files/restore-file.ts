import { fileMachine, restoreFile } from '@wbs/contract/files/files'
import { requireMove } from '../call/state.ts'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { beforeFileChange, openFile } from './file-access.ts'
import { saveFile } from './file-change-store.ts'
import { fileEvents, presentFile } from './file-view.ts'

export const handleRestoreFile = implement(
  restoreFile,
  async function restoreFile({ file_id, expected_revision }, context) {
    const { tx, now, refuse } = context
    const file = await openFile(context, file_id, 'full_access')
    const lifecycle = requireMove(fileMachine, 'restore', file.lifecycle, 'The File is not archived.', refuse)
    requireRevision(file, expected_revision, ['lifecycle'], refuse)
    const restored = saveFile(tx, { ...file, lifecycle }, now)
    return {
      result: { file: presentFile(restored) },
      revision: restored.revision,
      resource: { type: 'file', id: file_id },
      changed: ['lifecycle'],
      events: fileEvents('file.restored', restored),
    }
  },
  beforeFileChange,
)
