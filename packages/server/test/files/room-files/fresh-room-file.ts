import { enterRoom } from '../../harness/rooms.ts'
import type { Person } from '../../harness/service.ts'
import type { Input } from '../../operations/wire.ts'
import type { World } from '../../operations/world.ts'
import { freshRoom } from '../../rooms/fresh-room.ts'
import { addFile } from '../file-fixture.ts'
import { addPermission, addRoomFile } from './room-file-rows.ts'

/** A new File of the owner, and a new Room of the owner that all members may edit. */
export async function freshFileAndRoom(world: World): Promise<{ room_id: string; file_id: string }> {
  const room_id = await freshRoom(world)
  return { room_id, file_id: await addFile(world.service, world.workspace_id, world.people.owner) }
}

/** The same, with the File in the Room. */
export async function freshRoomFile(world: World): Promise<{ room_id: string; room_file_id: string }> {
  const { room_id, file_id } = await freshFileAndRoom(world)
  return { room_id, room_file_id: await addRoomFile(world, { room_id, file_id }) }
}

/** A File in a Room with a permission of the admin, who takes part in the Room. */
export async function freshPermission(world: World): Promise<Input> {
  const { room_id, room_file_id } = await freshRoomFile(world)
  return { room_file_id, permission_id: await permit(world, room_id, room_file_id, world.people.admin) }
}

async function permit(
  { service, workspace_id }: Pick<World, 'service' | 'workspace_id'>,
  room_id: string,
  room_file_id: string,
  person: Person,
): Promise<string> {
  await enterRoom(service, { workspace_id, room_id }, person, 'view')
  await addPermission({ service, workspace_id }, room_file_id, person.user_id)
  const [permission] = await service.sql<{ id: string }>(
    'select id from room_file_permissions where room_file_id = $1',
    [room_file_id],
  )
  return String(permission?.id)
}
