import { addFileVersion } from '@wbs/contract/files/uploads'
import { newId } from '@wbs/contract/ids'
import { implement } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { includes } from '@wbs/contract/scopes'
import { viewerOf, type CallerOfChange } from '../../rooms/room-access.ts'
import { fileById } from '../file-store.ts'
import { beforeFileChange, openFile, requireActiveFile, requireFewVersions } from '../file-access.ts'
import { insertVersion, saveFile } from '../file-change-store.ts'
import { fileEvents, presentFile } from '../file-view.ts'
import {
  countOwnUploads,
  firstExpiryJob,
  nameUpload,
  prepareUpload,
  requireFewUploads,
  type BeginParts,
  type Prepared,
} from './begin-upload.ts'
import { presentUploadWithoutParts } from './upload-view.ts'

export const handleAddFileVersion = (parts: BeginParts) =>
  implement<typeof addFileVersion, Prepared>(
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
      const upload = nameUpload(parts, file, version, context)
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
        Promise.all([beforeFileChange.prefetch({ file_id }, context), countOwnUploads(context.tx, context)]),
      async prepare({ file_id, expected_revision, size_bytes }, context) {
        const file = await fileById(context.read, viewerOf(context), file_id)
        const mayAdd =
          file !== undefined &&
          includes(file.access_level, 'edit') &&
          file.lifecycle === 'active' &&
          file.revision === expected_revision
        return mayAdd ? prepareUpload(parts, context, size_bytes) : null
      },
    },
  )

const openAndCount = (file_id: string, context: CallerOfChange & Parameters<typeof openFile>[0]) =>
  Promise.all([openFile(context, file_id, 'edit'), countOwnUploads(context.tx, context)])
