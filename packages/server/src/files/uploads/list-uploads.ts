import { listUploads } from '@wbs/contract/files/uploads'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { viewerOf } from '../../rooms/room-access.ts'
import { ownUploads } from './upload-store.ts'
import { lookAtUpload, presentUpload, type UploadParts } from './upload-view.ts'

export const handleListUploads = (parts: UploadParts) =>
  implement(listUploads, async function listUploads(input, context) {
    const { file_id, status, cursor: after = '', limit = 20 } = input
    const rows = await ownUploads(context.read, viewerOf(context), { file_id, after, limit })
    const { data, page } = pageOf(rows, limit, row => row.upload_id)
    const editable = data.filter(row => row.may_edit)
    const uploads = await Promise.all(editable.map(row => lookAtUpload(parts, row, context.now)))
    // Whether an open upload has expired is known only now.
    const wanted = uploads.filter(upload => status === undefined || upload.status === status)
    return { result: { data: wanted.map(presentUpload), page } }
  })
