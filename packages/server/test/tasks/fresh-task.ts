import { newUnorderedId } from '@wbs/contract/ids'
import type { Client } from '@wbs/sdk'
import { textFile } from '../files/fresh-file.ts'
import type { TestService } from '../harness/service.ts'
import type { Input } from '../operations/wire.ts'
import type { World } from '../operations/world.ts'
import { freshRoom } from '../rooms/fresh-room.ts'

/** A new Task of the owner, in a Room that all members may edit. */
export async function freshTask(world: World, input: Partial<Parameters<Client['createTask']>[0]> = {}) {
  const room_id = await freshRoom(world)
  return (await world.us.createTask({ title: 'Send the lease', room_id, ...input })).data
}

/** The input of a change of such a Task. */
export async function freshRevision(world: World): Promise<Input> {
  const { task_id, revision } = await freshTask(world)
  return { task_id, expected_revision: revision }
}

/** A new Task and a File in its Room. */
export async function taskWithFile(world: World): Promise<{ task_id: string; file_id: string }> {
  const { task_id, room_id } = await freshTask(world, { requires_evidence: true })
  const { file_id } = await textFile(world.us, { room_id: String(room_id) })
  return { task_id, file_id }
}

/** Inserts a Goal directly. */
export async function addGoal(
  service: Pick<TestService, 'sql'>,
  { workspace_id, room_id = null }: { workspace_id: string; room_id?: string | null },
  by: { user_id: string },
): Promise<string> {
  const id = newUnorderedId('gol', Date.now())
  await service.sql(
    `insert into goals (workspace_id, id, room_id, title, created_by, created_at, updated_at)
     values ($1, $2, $3, 'Close by June', $4, now(), now())`,
    [workspace_id, id, room_id, by.user_id],
  )
  return id
}
