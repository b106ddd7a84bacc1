import { read, type Reader } from '../../database/statement.ts'
import { levelInSql } from '../../rooms/visibility/room-visibility-store.ts'
import {
  connectionColumnsSql,
  joinSharerSql,
  sharerSql,
  type ConnectionKey,
  type ConnectionRow,
} from '../connection-store.ts'

/** Whose connections are looked at: those of a user in a Room, or with null in all Rooms. */
export interface SharerInRooms {
  workspace_id: string
  user_id: string
  room_id: string | null
}

/** The next Room by id with a connection of the user that has ended, although it was not saved as stopped. */
export const roomOfEndedConnections = (
  reader: Reader,
  { workspace_id, user_id, room_id }: SharerInRooms,
  after: string,
): Promise<Pick<ConnectionKey, 'room_id'> | undefined> =>
  reader.one(nextRoom, { workspace_id, user_id, room_id, after })

/** Those connections in a Room, by id. */
export const endedConnections = (
  reader: Reader,
  { workspace_id, user_id }: SharerInRooms,
  room_id: string,
): Promise<ConnectionRow[]> => reader.many(endedInRoom, { workspace_id, user_id, room_id })

const isEndedSql = `c.workspace_id = :workspace_id and c.shared_by = :user_id and c.status <> 'stopped'
  and (not basis.lasts or ${levelInSql('r', sharerSql)} is null)`

const ofSharerSql = `room_connections c join rooms r on r.workspace_id = :workspace_id and r.id = c.room_id ${joinSharerSql}`

const nextRoom = read<Pick<ConnectionKey, 'room_id'>>(
  'connections_ended_room',
  `select c.room_id from ${ofSharerSql}
   where ${isEndedSql} and (:room_id::text is null or c.room_id = :room_id) and c.room_id > :after
   order by c.room_id limit 1`,
)

const endedInRoom = read<ConnectionRow>(
  'connections_ended',
  `select ${connectionColumnsSql} from ${ofSharerSql} where ${isEndedSql} and c.room_id = :room_id order by c.id`,
  'long',
)
