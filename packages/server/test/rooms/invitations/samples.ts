import type { Samples } from '../../operations/sample.ts'
import type { Input } from '../../operations/wire.ts'
import type { World } from '../../operations/world.ts'
import { freshParticipant, freshRoom } from '../fresh-room.ts'

export const samples = {
  invite_participant: {
    input: async world => ({
      room_id: await freshRoom(world),
      email: `zoe-${crypto.randomUUID().slice(0, 8)}@example.com`,
      access_level: 'view',
    }),
    others: { 'of an address that is invited': invitedAgain },
  },
  resend_invitation: { input: freshParticipant },
} satisfies Samples

async function invitedAgain(world: World): Promise<Input> {
  const { room_id, participant_id } = await freshParticipant(world)
  const [row] = await world.service.sql('select email from room_participants where id = $1', [participant_id])
  return { room_id, email: row?.['email'], access_level: 'edit' }
}
