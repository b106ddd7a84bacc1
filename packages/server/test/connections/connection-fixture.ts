import type { ConnectionStatus } from '@wbs/contract/connections/connections'
import { createTestApp, someApp, type TestApp } from '../harness/test-app.ts'
import type { Person, TestServiceOptions } from '../harness/service.ts'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'

/** A world of Rooms with an app. The member shares it unless somebody else does. */
export interface ConnectionWorld extends RoomWorld {
  app: TestApp
  /** Shares the app with a Room, and returns the key of the connection. */
  share(room_id: string, sharer?: Person, over?: object): Promise<Key>
  /** Saves a status, as a change of the service does. */
  save(key: Key, status: ConnectionStatus): Promise<void>
  /** A connection as a person sees it in the list of its Room. */
  seen(key: Key, person: Person): Promise<Shown | undefined>
  /** The statuses that were saved for connections of a Room, in the order of their ids. */
  savedIn(room_id: string): Promise<string[]>
  key(person: Person, scopes: readonly string[]): Promise<ReturnType<RoomWorld['as']>>
}

export interface Key {
  room_id: string
  connection_id: string
}

type Shown = Awaited<ReturnType<ReturnType<RoomWorld['as']>['listConnections']>>['data'][number]

export async function makeConnectionWorld(options: TestServiceOptions = {}): Promise<ConnectionWorld> {
  const app = createTestApp()
  const world = await makeRoomWorld({ ...options, plugins: [app, ...(options.plugins ?? [])] })
  const { service, workspace_id, people, as } = world
  return {
    ...world,
    app,
    async share(room_id, sharer = people.member, over = {}) {
      const { data } = await as(sharer).shareConnection({ room_id, ...someApp, ...over })
      return { room_id, connection_id: data.connection_id }
    },
    async save({ connection_id }, status) {
      await service.sql('update room_connections set status = $2 where id = $1', [connection_id, status])
    },
    async seen({ room_id, connection_id }, person) {
      const { data } = await as(person).listConnections({ room_id, limit: 100 })
      return data.find(one => one.connection_id === connection_id)
    },
    async savedIn(room_id) {
      const rows = await service.sql<{ status: string }>(
        'select status from room_connections where room_id = $1 order by id',
        [room_id],
      )
      return rows.map(row => row.status)
    },
    async key(person, scopes) {
      const { secret } = await service.apiKey(workspace_id, person, scopes as never)
      return service.client({ api_key: secret, workspace_id })
    },
  }
}
