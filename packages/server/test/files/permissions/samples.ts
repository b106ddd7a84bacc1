import type { Samples } from '../../operations/sample.ts'
import { freshPermission, freshRoomFile } from '../room-files/fresh-room-file.ts'

/** They may edit the File in the Room; the operation requires full access. */
const onlyWhoManagesTheFile = { member: 403, admin: 403, viewer: 403 }

export const samples = {
  list_room_file_permissions: {
    input: async world => {
      const { room_file_id } = await freshRoomFile(world)
      return { room_file_id }
    },
    answers: onlyWhoManagesTheFile,
  },
  set_room_file_permission: {
    input: async world => {
      const { room_file_id } = await freshRoomFile(world)
      return { room_file_id, user_id: world.people.admin.user_id, access_level: 'edit' }
    },
    answers: onlyWhoManagesTheFile,
    readBack: false,
  },
  revoke_room_file_permission: {
    input: freshPermission,
    answers: onlyWhoManagesTheFile,
    readBack: false,
  },
} satisfies Samples
