import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { freshRoom } from '../../rooms/fresh-room.ts'
import { fileForAll } from '../fresh-file.ts'

const content = 'Profit and loss'

/** A new upload of the owner's into a Room that all members may edit. */
async function freshUpload({ us, ...world }: World) {
  const { upload } = await us.createFileUpload({
    name: 'Profit and loss.txt',
    content_type: 'text/plain',
    size_bytes: content.length,
    room_id: await freshRoom({ us, ...world }),
  })
  return upload.upload_id
}

/** The same with its content. */
export async function fullUpload(world: World) {
  const upload_id = await freshUpload(world)
  await world.us.uploadContent({ upload_id, content: btoa(content) })
  return upload_id
}

export const samples = {
  create_file_upload: {
    input: async world => ({
      name: 'Profit and loss.txt',
      content_type: 'text/plain',
      size_bytes: 5,
      room_id: await freshRoom(world),
    }),
    others: {
      'without a Room': () => ({ name: 'Profit and loss.txt', content_type: 'text/plain', size_bytes: 5 }),
    },
  },
  add_file_version: {
    input: async world => ({ file_id: await fileForAll(world), expected_revision: 1, size_bytes: 5 }),
  },
  list_uploads: { input: () => ({}) },
  get_upload: { input: async world => ({ upload_id: await freshUpload(world) }) },
  create_part_urls: { input: async world => ({ upload_id: await freshUpload(world), part_numbers: [1] }) },
  upload_content: {
    input: async world => ({ upload_id: await freshUpload(world), content: btoa(content) }),
    readBack: false,
  },
  complete_upload: { input: async world => ({ upload_id: await fullUpload(world) }) },
  abort_upload: { input: async world => ({ upload_id: await freshUpload(world) }) },
} satisfies Samples
