import { listRoomFiles } from '@wbs/contract/files/room-files'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { requireRoom, viewerOf } from '../../rooms/room-access.ts'
import { cursorOf, readCursor } from './room-file-cursor.ts'
import { roomFilesPage } from './room-file-page-store.ts'
import { presentRoomFile } from './room-file-view.ts'

export const handleListRoomFiles = implement(listRoomFiles, async function listRoomFiles(input, context) {
  const { room_id, status, under, cursor, limit = 20 } = input
  const { read, refuse } = context
  const after = readCursor(cursor, refuse)
  const room = await requireRoom(context, read, room_id)
  const rows = await roomFilesPage(
    read,
    viewerOf(context),
    room,
    { status, under },
    { after, limit: limit + 1 },
  )
  const { data, page } = pageOf(rows, limit, cursorOf)
  return { result: { data: data.map(presentRoomFile), page } }
})
