import type { Samples } from '../../operations/sample.ts'
import { freshRoom } from '../../rooms/fresh-room.ts'

export const samples = {
  create_text_file: {
    input: () => ({ name: 'Notes.md', content: '# Notes' }),
    others: {
      'in a Room': async world => ({ name: 'Notes.md', content: '# Notes', room_id: await freshRoom(world) }),
      'of a Business': ({ published_id }) => ({
        name: 'Notes.md',
        content: '# Notes',
        business_id: published_id,
      }),
    },
  },
} satisfies Samples
