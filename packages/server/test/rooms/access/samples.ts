import type { Samples } from '../../operations/sample.ts'
import { freshRoom } from '../fresh-room.ts'

export const samples = {
  get_room_access: { input: async world => ({ room_id: await freshRoom(world) }) },
} satisfies Samples
