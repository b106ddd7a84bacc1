import { randomUUID } from 'node:crypto'
import type { Client } from '@wbs/sdk'
import type { World } from '../operations/world.ts'
import { freshRoom } from '../rooms/fresh-room.ts'

/** A text File of a client, which others see only through a Room or a Business. */
export async function textFile(
  client: Client,
  input: Partial<Parameters<Client['createTextFile']>[0]> = {},
): Promise<Awaited<ReturnType<Client['createTextFile']>>['file']> {
  const { file } = await client.createTextFile({
    name: 'Notes.md',
    content: `# Notes of a call\n\nReference: ${randomUUID()}`,
    ...input,
  })
  return file
}

/** A File of the owner in a Room that all members may edit. Only the owner has full access to it. */
export async function fileForAll(world: World): Promise<string> {
  return (await textFile(world.us, { room_id: await freshRoom(world) })).file_id
}
