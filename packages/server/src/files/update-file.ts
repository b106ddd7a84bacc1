import { updateFile } from '@wbs/contract/files/files'
import { implement } from '../call/implement.ts'
import { requireRevision } from '../call/revision.ts'
import { changedFields } from './file.ts'
import { beforeFileChange, openFile, requireActiveFile } from './file-access.ts'
import { saveFile } from './file-change-store.ts'
import { fileEvents, presentFile } from './file-view.ts'

export const handleUpdateFile = implement(
  updateFile,
  async function updateFile({ file_id, expected_revision, ...changes }, context) {
    const { tx, now, refuse } = context
    const file = await openFile(context, file_id, 'edit')
    requireActiveFile(file, refuse)
    const edited = { ...file, ...changes }
    const changed = changedFields(file, edited)
    requireRevision(file, expected_revision, changed, refuse)
    const saved = changed.length > 0 ? saveFile(tx, edited, now) : file
    return {
      result: { file: presentFile(saved) },
      revision: saved.revision,
      resource: { type: 'file', id: file_id },
      changed,
      events: changed.length > 0 ? fileEvents('file.updated', saved, { changed }) : [],
    }
  },
  beforeFileChange,
)
