import { archiveFile } from '@wbs/contract/files/files'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { beforeFileChange, openFile } from './file-access.ts'
import { saveFile } from './file-change-store.ts'
import { fileEvents, presentFile } from './file-view.ts'

export const handleArchiveFile = implement(
  archiveFile,
  async function archiveFile({ file_id, expected_revision }, context) {
    const { tx, now, refuse } = context
    const file = await openFile(context, file_id, 'full_access')
    // Archiving an archived File succeeds and changes nothing.
    const isNew = file.lifecycle === 'active'
    requireRevision(file, expected_revision, ['lifecycle'], refuse)
    const archived = isNew ? saveFile(tx, { ...file, lifecycle: 'archived' as const }, now) : file
    return {
      result: { file: presentFile(archived) },
      revision: archived.revision,
      resource: { type: 'file', id: file_id },
      changed: isNew ? ['lifecycle'] : [],
      events: isNew ? fileEvents('file.archived', archived) : [],
    }
  },
  beforeFileChange,
)
