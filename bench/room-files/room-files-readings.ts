import { cursorOf } from '../../packages/server/src/files/room-files/room-file-cursor.ts'
import { filesPage, type FileFilter } from '../../packages/server/src/files/file-page-store.ts'
import { fileById } from '../../packages/server/src/files/file-store.ts'
import { roomFilesPage } from '../../packages/server/src/files/room-files/room-file-page-store.ts'
import { roomById } from '../../packages/server/src/rooms/room-store.ts'
import type { Reader as StatementReader } from '../../packages/server/src/database/statement.ts'
import type { Reading } from '../reads/compare-reads.ts'
import type { FilesWorld, Reader } from './room-files-world.ts'

const firstId = `rfl_${'0'.repeat(26)}`
const pages = {
  'first page': { after: null, under: undefined },
  'deep page': { after: { index_path: 'Folder 25/', room_file_id: firstId }, under: undefined },
  'page of a folder': { after: null, under: 'Folder 7' },
}
const anyFile: FileFilter = {
  business_id: undefined,
  room_id: undefined,
  classification: undefined,
  tag: undefined,
  lifecycle: undefined,
  name: undefined,
  processing_status: undefined,
}

export const readingsOf = (world: FilesWorld): Reading[] => [...roomReadings(world), ...fileReadings(world)]

/** How the service is asked, and the ids of the Files in its answers. */
const askedBy = (reader: Reader): Pick<Reading, 'reader' | 'headers' | 'idsIn'> => ({
  reader,
  headers: { authorization: `Bearer ${reader.access_token}` },
  idsIn(answer) {
    const { data = [], file } = answer as Listed
    return (file ? [file] : data).map(entry => entry.file?.file_id ?? entry.file_id ?? '')
  },
})

interface Listed {
  data?: { file_id?: string; file?: { file_id: string } }[]
  file?: { file_id: string; file?: never }
}

function roomReadings({ owner, member, guest, open_room_id, restricted_room_id }: FilesWorld): Reading[] {
  const readers = [
    ['full access', owner, restricted_room_id, 'room_files_of_manager'],
    ['inherited access', member, open_room_id, 'room_files_of_everybody'],
    ['three restricted Files', guest, restricted_room_id, 'room_files_permitted'],
    ['5,000 permissions', member, restricted_room_id, 'room_files_permitted'],
  ] as const
  return readers.flatMap(([who, reader, room_id, statement]) =>
    Object.entries(pages).map(([what, { after, under }]) => ({
      name: `Files of a Room, ${what}: ${who}`,
      ...askedBy(reader),
      path: `/v1/rooms/${room_id}/files?${new URLSearchParams({
        limit: '20',
        ...(after && { cursor: cursorOf(after) }),
        ...(under !== undefined && { under }),
      }).toString()}`,
      floor: {
        name: statement,
        values: [
          reader.workspace_id,
          reader.user_id,
          room_id,
          after?.index_path ?? (under === undefined ? '' : `${under}/`),
          after?.room_file_id ?? '',
          // The character after a slash is a zero, and a tilde comes after all names here.
          under === undefined ? '~' : `${under}0`,
        ],
      },
      async run(statements) {
        const room = await roomById(statements, reader, room_id)
        if (!room) throw new Error('The reader cannot see the Room.')
        return roomFilesPage(statements, reader, room, { status: undefined, under }, { after, limit: 21 })
      },
    })),
  )
}

function fileReadings({ owner, member, guest, ownerOfOpenRooms, file_id }: FilesWorld): Reading[] {
  const lists = [
    ['guest of three Files', guest, 'files_permitted'],
    ['member of many Rooms', member, 'files_of_own_rooms'],
    ['owner, everybody sees all Rooms', ownerOfOpenRooms, 'files_of_workspace'],
  ] as const
  const singles = [
    ['owner', owner],
    ['member', member],
    ['guest of three Files', guest],
  ] as const
  return [
    ...lists.map(([who, reader, statement]) => ({
      name: `Files: ${who}`,
      ...askedBy(reader),
      path: '/v1/files?limit=20',
      floor: { name: statement, values: [reader.workspace_id, reader.user_id, ''] },
      run: (statements: StatementReader) => filesPage(statements, reader, anyFile, { after: '', limit: 20 }),
    })),
    ...singles.map(([who, reader]) => ({
      name: `one File: ${who}`,
      ...askedBy(reader),
      path: `/v1/files/${file_id}`,
      floor: { name: 'one_file' as const, values: [reader.workspace_id, reader.user_id, file_id] },
      run: (statements: StatementReader) => fileById(statements, reader, file_id),
    })),
  ]
}
