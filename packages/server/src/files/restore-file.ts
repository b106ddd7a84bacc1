import { restoreFile } from '@wbs/contract/files/files'
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
    if (file.lifecycle === 'active')
      throw refuse.state_conflict('The File is not archived.', { current_status: 'active' })
    requireRevision(file, expected_revision, ['lifecycle'], refuse)
    const restored = saveFile(tx, { ...file, lifecycle: 'active' as const }, now)
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
