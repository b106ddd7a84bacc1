import { addFileVersion } from '@wbs/contract/files/uploads'
import { newId } from '@wbs/contract/ids'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import type { CallerOfChange } from '../../rooms/room-access.ts'
import { beforeFileChange, openFile, requireActiveFile, requireFewVersions } from '../file-access.ts'
import { insertVersion, saveFile } from '../file-change-store.ts'
import { fileEvents, presentFile } from '../file-view.ts'
import { beginUpload, countOwnUploads, firstExpiryJob, requireFewUploads } from './begin-upload.ts'
import { presentUploadWithoutParts, type UploadParts } from './upload-view.ts'

export const handleAddFileVersion = (parts: UploadParts) =>
  implement(
    addFileVersion,
    async function addFileVersion({ file_id, expected_revision, ...content }, context) {
      const { tx, now, caller, refuse } = context
      const [file, open] = await openAndCount(file_id, context)
      requireActiveFile(file, refuse)
      requireRevision(file, expected_revision, ['versions'], refuse)
      requireFewUploads(open, refuse)
      requireFewVersions(file, refuse)
      const { content_type = file.current_version.content_type, size_bytes, sha256 = null } = content
      const version = insertVersion(
        tx,
        {
          workspace_id: file.workspace_id,
          file_id,
          file_version_id: newId('fvr', now.getTime()),
          number: file.next_version_number,
          user_id: caller.user_id,
        },
        { content_type, size_bytes, announced_sha256: sha256 },
        now,
      )
      const upload = await beginUpload(parts, file, version, context)
      const saved = saveFile(tx, file, now)
      return {
        result: {
          file: presentFile(saved),
          new_version: version,
          upload: presentUploadWithoutParts(upload, parts.settings),
        },
        revision: saved.revision,
        resource: { type: 'file', id: file_id },
        changed: ['versions'],
        events: fileEvents('file.version_added', file, { version_number: version.version_number }),
        jobs: [firstExpiryJob(upload, parts)],
      }
    },
    {
      visible: beforeFileChange.visible,
      prefetch: ({ file_id }, context) =>
        Promise.all([beforeFileChange.prefetch({ file_id }, context), countOwnUploads(context)]),
    },
  )

const openAndCount = (file_id: string, context: CallerOfChange & Parameters<typeof openFile>[0]) =>
  Promise.all([openFile(context, file_id, 'edit'), countOwnUploads(context)])
