import type { Classification } from '@wbs/contract/files/files'
import type { Id } from '@wbs/contract/ids'
import { viewerOf, type CallerOfChange } from '../rooms/room-access.ts'
import type { OpenedRoom } from '../rooms/room-store.ts'
import { insertFile, type NewContent, type NewFile } from './file-change-store.ts'
import type { FileRow } from './file-store.ts'
import { presentFile } from './file-view.ts'
import { insertRoomFile } from './room-files/room-file-change-store.ts'
import type { RoomFileRow } from './room-files/room-file-store.ts'
import { presentRoomFile, roomFileAsSubject } from './room-files/room-file-view.ts'

/** A new File as its creator describes it. */
interface DescribedNewFile {
  name: string
  description?: string | null
  classification?: Classification
  tags?: string[]
  business_id?: Id<'biz'>
  index_path?: string
}

/** A File that was just created, in a Room or in none. */
interface CreatedFile {
  file: FileRow
  room_file: RoomFileRow | null
}

/**
 * Creates a File, in a Room if one is given. A member has full access to it; a guest has the level that they have in the
 * Room.
 */
export function createFile(
  context: CallerOfChange & { now: Date },
  described: DescribedNewFile,
  room: OpenedRoom<'edit'> | null,
  { origin, content }: { origin: NewFile['origin']; content: NewContent },
): CreatedFile {
  const { tx, caller, standing, now } = context
  const { name, description = null, classification = 'other', tags = [], business_id = null } = described
  const { workspace_id, membership_id } = standing
  const access_level = membership_id === null && room ? room.access_level : 'full_access'
  const creator = { user_id: caller.user_id, membership_id, access_level }
  const file = insertFile(
    tx,
    { workspace_id, ...creator, business_id, name, description, classification, tags, origin, content },
    now,
  )
  const { index_path = name } = described
  return { file, room_file: room && insertRoomFile(tx, viewerOf(context), room, file, index_path, now) }
}

/** The part of an outcome that is the same however a File was created. */
export const outcomeOfNewFile = ({ file, room_file }: CreatedFile) => ({
  result: {
    file: presentFile(file),
    new_version: file.current_version,
    ...(room_file && { room_file: presentRoomFile(room_file) }),
  },
  revision: file.revision,
  resource: { type: 'file' as const, id: file.file_id },
  events: room_file
    ? (['file.created', 'file.added_to_room'] as const).map(type => ({
        type,
        ...roomFileAsSubject(room_file),
      }))
    : [],
})
