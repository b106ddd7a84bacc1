import type { AccessLevel } from '@wbs/contract/scopes'
import type { Person } from '../../harness/service.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'
import { addFile, type FileFacts } from '../file-fixture.ts'

/** A Workspace with Rooms and Files. */
export interface RoomFileWorld extends RoomWorld {
  /** A ready File of the member. */
  file(facts?: FileFacts, by?: Person): Promise<string>
  /** A File of the member in a Room, attached by them. */
  attached(room_id: string, name?: string, index_path?: string): Promise<string>
  /** Grants a permission as the member. */
  grant(room_file_id: string, person: Person, access_level?: AccessLevel): Promise<string>
  /** The index paths of the Files that somebody sees in a Room, page by page. */
  seen(person: Person, room_id: string, rest?: object): Promise<string[]>
  /** The level that somebody has on a File in a Room, or null. */
  levelOn(person: Person, room_file_id: string): Promise<AccessLevel | null>
}

export async function makeRoomFileWorld(): Promise<RoomFileWorld> {
  const world = await makeRoomWorld()
  const { service, workspace_id, people, as } = world
  const file = (facts: FileFacts = {}, by = people.member) => addFile(service, workspace_id, by, facts)
  return {
    ...world,
    file,
    async attached(room_id, name = 'Memorandum.md', index_path) {
      const file_id = await file({ name })
      const answer = await as(people.member).attachRoomFile({
        room_id,
        file_id,
        ...(index_path !== undefined && { index_path }),
      })
      return answer.room_file.room_file_id
    },
    async grant(room_file_id, person, access_level = 'view') {
      const { permission } = await as(people.member).setRoomFilePermission({
        room_file_id,
        user_id: person.user_id,
        access_level,
      })
      return permission.permission_id
    },
    async seen(person, room_id, rest = {}) {
      const paths: string[] = []
      for await (const one of as(person).listRoomFiles.each({ room_id, ...rest })) paths.push(one.index_path)
      return paths
    },
    async levelOn(person, room_file_id) {
      const { status, body } = await service.request(`/v1/room-files/${room_file_id}`, {
        token: person.token,
        headers: { 'svc-workspace-id': workspace_id },
      })
      return status === 200 ? body.room_file.access_level : null
    },
  }
}
