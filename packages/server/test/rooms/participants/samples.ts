import { enterRoom } from '../../harness/rooms.ts'
import type { Samples } from '../../operations/sample.ts'
import type { Input } from '../../operations/wire.ts'
import type { World } from '../../operations/world.ts'
import { freshParticipant, freshRoom } from '../fresh-room.ts'

/** They may edit the Room; the operation requires full access. */
const onlyWhoManagesTheRoom = { member: 403, admin: 403 }

export const samples = {
  list_participants: { input: async world => ({ room_id: await freshRoom(world) }) },
  get_participant: { input: freshParticipant },
  update_participant: {
    input: async world => ({ ...(await freshParticipant(world)), access_level: 'edit' }),
    answers: onlyWhoManagesTheRoom,
    others: {
      'of who manages the Room': async world => ({ ...(await manager(world)), access_level: 'edit' }),
    },
  },
  revoke_participant: {
    input: freshParticipant,
    answers: onlyWhoManagesTheRoom,
    others: { 'of who manages the Room': manager },
  },
  leave_room: {
    input: async world => {
      const { room_id } = await manager(world)
      return { room_id }
    },
    // The member and the viewer can see the Room but are not participants; an API key never is one.
    answers: { viewer: 409, member: 409, key: 403, weak_key: 403 },
    roundTrips: 2,
  },
  break_glass: {
    input: async ({ service, workspace_id, people }) => {
      const admin = service.client({ access_token: people.admin.token, workspace_id })
      const { room } = await admin.createRoom({ title: 'Of the admin alone' })
      return { room_id: room.room_id, reason: 'The admin is away.' }
    },
    // Only the owner, and in person.
    answers: { member: 403, admin: 403, key: 403 },
    // An owner may do this in every Room of their own Workspace, so only Rooms of other Workspaces are hidden.
    hidden: async ({ them }) => {
      const { room } = await them.createRoom({ title: 'Of Sam' })
      return { room_id: room.room_id }
    },
  },
} satisfies Samples

/** The admin, as a second manager of a Room of the owner. */
async function manager(world: World): Promise<Input> {
  const room_id = await freshRoom(world)
  const { admin } = world.people
  const participant_id = await enterRoom(world.service, { ...world, room_id }, admin, 'full_access')
  return { room_id, participant_id }
}
