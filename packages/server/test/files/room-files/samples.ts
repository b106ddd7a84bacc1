import type { Samples } from '../../operations/sample.ts'
import { freshFileAndRoom, freshRoomFile } from './fresh-room-file.ts'

/** They may edit the Room, but only the owner has full access to the File. */
const onlyWhoOwnsTheFile = { member: 404, admin: 404 }

export const samples = {
  attach_room_file: {
    input: freshFileAndRoom,
    answers: onlyWhoOwnsTheFile,
    others: {
      'of a File that the Room has': async world => {
        const { room_id, room_file_id } = await freshRoomFile(world)
        const [row] = await world.service.sql('select file_id from room_files where id = $1', [room_file_id])
        return { room_id, file_id: String(row?.['file_id']) }
      },
    },
  },
  list_room_files: {
    input: async world => {
      const { room_id } = await freshRoomFile(world)
      return { room_id }
    },
  },
  get_room_file: { input: ofRoomFile },
  update_room_file: {
    input: async world => ({
      ...(await ofRoomFile(world)),
      expected_revision: 1,
      index_path: 'Lease/Notes.md',
    }),
    roundTrips: 2,
  },
  archive_room_file: {
    input: async world => ({ ...(await ofRoomFile(world)), expected_revision: 1 }),
    roundTrips: 2,
  },
  restore_room_file: {
    input: async world => {
      const named = await ofRoomFile(world)
      await world.service.sql(
        `update room_files set status = 'archived', archived_at = now() where id = $1`,
        [named.room_file_id],
      )
      return { ...named, expected_revision: 1 }
    },
  },
} satisfies Samples

async function ofRoomFile(...[world]: Parameters<typeof freshRoomFile>) {
  const { room_file_id } = await freshRoomFile(world)
  return { room_file_id }
}
