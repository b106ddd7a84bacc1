import { createFileUpload } from '@wbs/contract/files/uploads'
import type { InputOf } from '@wbs/contract/operation'
import { implement, type MutationContext } from '../../call/implement.ts'
import type { CallerOfChange } from '../../rooms/room-access.ts'
import type { OpenedRoom } from '../../rooms/room-store.ts'
import { insertFile } from '../file-change-store.ts'
import { lockPlace, requirePlace } from '../file-place.ts'
import type { FileRow } from '../file-store.ts'
import { presentFile } from '../file-view.ts'
import { insertRoomFile } from '../room-files/room-file-change-store.ts'
import type { RoomFileRow } from '../room-files/room-file-store.ts'
import { presentRoomFile, roomFileAsSubject } from '../room-files/room-file-view.ts'
import { beginUpload, firstExpiryJob, requireFewUploads } from './begin-upload.ts'
import { countOpenUploads } from './upload-store.ts'
import { presentUploadWithoutParts, type UploadParts } from './upload-view.ts'

type Input = InputOf<typeof createFileUpload>
type Context = MutationContext<typeof createFileUpload>

const lockAndCount = (input: Input, context: CallerOfChange) =>
  Promise.all([
    lockPlace(context, input),
    countOpenUploads(context.tx, {
      workspace_id: context.standing.workspace_id,
      user_id: context.caller.user_id,
    }),
  ])

export const handleCreateFileUpload = (parts: UploadParts) =>
  implement(
    createFileUpload,
    async function createFileUpload(input, context) {
      const { tx, now, caller, refuse } = context
      const [place, open] = await lockAndCount(input, context)
      const room = requirePlace(context, input, place, refuse)
      requireFewUploads(open, refuse)
      const file = insertAnnounced(input, room, context)
      const upload = await beginUpload(parts, file, file.current_version, context)
      const room_file = room && insertRoomFile(tx, caller, room, file, input.index_path ?? file.name, now)
      return {
        result: {
          file: presentFile(file),
          new_version: file.current_version,
          upload: presentUploadWithoutParts(upload, parts.settings),
          ...(room_file && { room_file: presentRoomFile(room_file) }),
        },
        revision: file.revision,
        resource: { type: 'file', id: file.file_id },
        events: room_file ? eventsIn(room_file) : [],
        jobs: [firstExpiryJob(upload, parts)],
      }
    },
    { prefetch: lockAndCount },
  )

/** Inserts the File with a version whose content is still to come. */
function insertAnnounced(
  input: Input,
  room: OpenedRoom<'edit'> | null,
  { tx, now, caller, standing }: Context,
): FileRow {
  const { name, description = null, classification = 'other', tags = [], business_id = null } = input
  const { content_type, size_bytes, sha256: announced_sha256 = null } = input
  const { workspace_id, membership_id } = standing
  const { user_id } = caller
  return insertFile(
    tx,
    {
      workspace_id,
      user_id,
      membership_id,
      access_level: membership_id === null && room ? room.access_level : 'full_access',
      business_id,
      name,
      description,
      classification,
      tags,
      origin: 'upload',
      content: { content_type, size_bytes, announced_sha256 },
    },
    now,
  )
}

const eventsIn = (room_file: RoomFileRow) => [
  { type: 'file.created' as const, ...roomFileAsSubject(room_file) },
  { type: 'file.added_to_room' as const, ...roomFileAsSubject(room_file) },
]
