import { abortUpload, uploadMachine } from '@wbs/contract/files/uploads'
import { requireMove } from '../../call/state.ts'
import { implement } from '../../call/implement.ts'
import { presentFile } from '../file-view.ts'
import { failUpload } from './end-upload.ts'
import { beforeUploadChange, openUpload, type OpenedUpload } from './upload-access.ts'
import { presentUploadWithoutParts, type UploadParts } from './upload-view.ts'

export const handleAbortUpload = (parts: UploadParts) =>
  implement(
    abortUpload,
    async function abortUpload({ upload_id }, context) {
      const { refuse } = context
      const [opened] = await openUpload(context, upload_id)
      const { status } = opened.upload
      const detail = `The upload is ${status}, so it cannot be aborted.`
      requireMove(uploadMachine, 'abort', status, detail, refuse)
      if (status === 'aborted') return unchanged(opened, parts)
      return failUpload(opened, 'aborted', 'upload_aborted', parts, context)
    },
    beforeUploadChange,
  )

/** Aborting an aborted upload succeeds and changes nothing. */
const unchanged = ({ file, upload }: OpenedUpload, { settings }: UploadParts) => ({
  result: {
    file: presentFile(file),
    new_version: upload.version,
    upload: presentUploadWithoutParts(upload, settings),
  },
  revision: file.revision,
  resource: { type: 'file' as const, id: file.file_id },
  changed: [],
  events: [],
})
