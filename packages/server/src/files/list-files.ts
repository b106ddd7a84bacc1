import { listFiles } from '@wbs/contract/files/files'
import { implement } from '../call/implement.ts'
import { requireRoom, viewerOf } from '../rooms/room-access.ts'
import { filesPage } from './file-page-store.ts'
import { presentFile } from './file-view.ts'

export const handleListFiles = implement(listFiles, async function listFiles(input, context) {
  const { business_id, room_id, classification, tag, lifecycle, name, processing_status } = input
  const { cursor: after = '', limit = 20 } = input
  const filter = { business_id, room_id, classification, tag, lifecycle, name, processing_status }
  if (room_id !== undefined) await requireRoom(context, context.read, room_id)
  const { files, cursor } = await filesPage(context.read, viewerOf(context), filter, { after, limit })
  return { result: { data: files.map(presentFile), page: { cursor, has_more: cursor !== null } } }
})
