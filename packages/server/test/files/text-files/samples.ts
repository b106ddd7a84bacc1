import { addBusiness } from '../../harness/businesses.ts'
import type { Samples } from '../../operations/sample.ts'
import { freshRoom } from '../../rooms/fresh-room.ts'

export const samples = {
  create_text_file: {
    input: () => ({ name: 'Notes.md', content: '# Notes' }),
    others: {
      'in a Room': async world => ({ name: 'Notes.md', content: '# Notes', room_id: await freshRoom(world) }),
      'of a Business': async ({ service, workspace_id, people }) => {
        const business_id = await addBusiness(service, { name: 'Glacier', publication_status: 'draft' })
        await service.link(workspace_id, business_id, people.owner, 'edit')
        return { name: 'Notes.md', content: '# Notes', business_id }
      },
    },
  },
} satisfies Samples
