import type { OperationName } from '@wbs/contract/registry'
import { insertRoomInvitation } from '../harness/invitations.ts'
import { enterRoom } from '../harness/rooms.ts'
import { freshInvitation, freshRoom } from './operation-samples.ts'
import type { World } from './world.ts'
import type { Input } from './wire.ts'

/** What else there is to some changes than their sample (operation-samples.ts): other ways through their handlers. */
export const otherSamples: readonly [OperationName, as: string, (world: World) => Promise<Input>][] = [
  ['accept_invitation', 'to a Room', roomInvitation],
  ['decline_invitation', 'to a Room', roomInvitation],
  ['invite_participant', 'of an address that is invited', invitedAgain],
  [
    'update_participant',
    'of who manages the Room',
    async world => ({ ...(await manager(world)), access_level: 'edit' }),
  ],
  ['revoke_participant', 'of who manages the Room', manager],
]

/** Sam's invitation of Olivia to a Room of his. */
async function roomInvitation(world: World): Promise<Input> {
  const { service, sam, people, foreign_workspace_id: workspace_id } = world
  const { room } = await service
    .client({ access_token: sam.token, workspace_id })
    .createRoom({ title: 'Of Sam' })
  return { token: await insertRoomInvitation(service, { workspace_id, ...room }, sam, people.owner) }
}

async function invitedAgain(world: World): Promise<Input> {
  const { room_id, participant_id } = await freshInvitation(world)
  const [row] = await world.service.sql('select email from room_participants where id = $1', [participant_id])
  return { room_id, email: row?.['email'], access_level: 'edit' }
}

/** Adam, who manages a Room of Olivia's besides her. */
async function manager(world: World): Promise<Input> {
  const room_id = await freshRoom(world)
  const { admin } = world.people
  const participant_id = await enterRoom(world.service, { ...world, room_id }, admin, 'full_access')
  return { room_id, participant_id }
}
