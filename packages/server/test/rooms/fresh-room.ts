import type { Input } from '../operations/wire.ts'
import type { World } from '../operations/world.ts'

/** A new Room of the owner that all members may edit. */
export async function freshRoom({ service, us }: World): Promise<string> {
  const { room } = await us.createRoom({ title: 'Purchase of Harbor Bakery' })
  await service.sql(
    `update rooms set general_access = 'workspace', general_access_level = 'edit' where id = $1`,
    [room.room_id],
  )
  return room.room_id
}

/** A new invitation by the owner to such a Room. */
export async function freshParticipant(world: World): Promise<Input> {
  const room_id = await freshRoom(world)
  const { participant } = await world.us.inviteParticipant({
    room_id,
    email: `zoe-${crypto.randomUUID().slice(0, 8)}@example.com`,
    access_level: 'view',
  })
  return { room_id, participant_id: participant.participant_id }
}
