import { retryFileVersion } from '@wbs/contract/files/versions'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { beforeFileChange, openFile } from '../file-access.ts'
import { presentFile } from '../file-view.ts'
import { saveCurrentVersion } from '../file-change-store.ts'
import { saveStoredVersion } from './version-change-store.ts'
import { processingJobs } from './processing-jobs.ts'
import { storedVersionById } from './version-store.ts'

export const handleRetryFileVersion = (parts: { settings: { processing_hours: number } }) =>
  implement(
    retryFileVersion,
    async function retryFileVersion({ file_id, file_version_id, expected_revision }, context) {
      const { tx, now, refuse, standing } = context
      const { workspace_id } = standing
      const [file, found] = await Promise.all([
        openFile(context, file_id, 'edit'),
        storedVersionById(tx, workspace_id, file_version_id),
      ])
      if (found?.file_id !== file_id) throw refuse.not_found('The File has no such version.')
      const { version, stored_sha256 } = found
      if (version.processing_status !== 'failed')
        throw refuse.state_conflict(
          `The version is ${version.processing_status}. Only a failed one can be processed again.`,
          { current_status: version.processing_status },
        )
      if (stored_sha256 === null)
        throw refuse.state_conflict(
          'The content of the version was never stored completely. Add a new version instead.',
          { current_status: 'failed' },
        )
      requireRevision(file, expected_revision, ['versions'], refuse)
      const waiting = saveStoredVersion(tx, file, version, stored_sha256)
      const current =
        file.current_version.file_version_id === file_version_id ? waiting : file.current_version
      const saved = saveCurrentVersion(tx, file, current, now)
      return {
        result: { file: presentFile(saved), new_version: waiting },
        revision: saved.revision,
        resource: { type: 'file', id: file_id },
        changed: ['versions'],
        events: [],
        jobs: processingJobs(file, waiting, now, parts.settings),
      }
    },
    beforeFileChange,
  )
