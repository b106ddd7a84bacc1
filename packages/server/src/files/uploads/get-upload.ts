import { getUpload } from '@wbs/contract/files/uploads'
import { implement } from '../../call/implement.ts'
import { requireUpload } from './upload-access.ts'
import { lookAtUpload, presentUpload, type UploadParts } from './upload-view.ts'

export const handleGetUpload = (parts: UploadParts) =>
  implement(getUpload, async function getUpload({ upload_id }, context) {
    const upload = await requireUpload(context, context.read, upload_id)
    return { result: { upload: presentUpload(await lookAtUpload(parts, upload, context.now)) } }
  })
