import { restoreFileVersion } from '@wbs/contract/files/versions'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import type { CallerOfChange } from '../../rooms/room-access.ts'
import {
  beforeFileChange,
  openFile,
  requireActiveFile,
  requireFewVersions,
  requireFileLevel,
} from '../file-access.ts'
import { saveCurrentVersion } from '../file-change-store.ts'
import { fileEvents, presentFile } from '../file-view.ts'
import { copyVersion, versionById } from './file-version-store.ts'

interface VersionKey {
  file_id: string
  file_version_id: string
}

export const handleRestoreFileVersion = implement(
  restoreFileVersion,
  async function restoreFileVersion({ expected_revision, ...named }, context) {
    const { caller, tx, now, refuse } = context
    const [file, earlier] = await Promise.all([
      openFile(context, named.file_id, 'view'),
      readVersion(named, context),
    ])
    if (!earlier) throw refuse.not_found('The File has no such version.')
    const opened = requireFileLevel(file, 'edit', refuse)
    requireActiveFile(opened, refuse)
    if (earlier.processing_status !== 'ready')
      throw refuse.state_conflict('Only a version that is ready can be restored.', {
        current_status: earlier.processing_status,
      })
    requireFewVersions(opened, refuse)
    requireRevision(opened, expected_revision, ['current_version'], refuse)
    const current_version = copyVersion(tx, caller, opened, earlier, now)
    const saved = saveCurrentVersion(tx, opened, current_version, now)
    return {
      result: { file: presentFile(saved), new_version: current_version },
      revision: saved.revision,
      resource: { type: 'file', id: named.file_id },
      changed: ['current_version'],
      events: fileEvents('file.version_added', saved, {
        version_number: current_version.version_number,
      }),
    }
  },
  {
    visible: beforeFileChange.visible,
    prefetch: (named, context) =>
      Promise.all([beforeFileChange.prefetch(named, context), readVersion(named, context)]),
  },
)

const readVersion = ({ file_id, file_version_id }: VersionKey, { tx, standing }: CallerOfChange) =>
  versionById(tx, standing.workspace_id, { file_id, file_version_id })
