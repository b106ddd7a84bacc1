import type { AccessLevel, Scope } from '@wbs/contract/scopes'
import { hasPermissionsSql, scopeArraySql } from '../call/authority/permissions.ts'
import { read, type Reader } from '../database/statement.ts'
import { isActiveSql } from '../rooms/visibility/room-visibility-store.ts'

/** A Room in which somebody takes part. */
export interface MyRoomRow {
  participant_id: string
  room_id: string
  title: string
  status: 'active' | 'archived'
  workspace_id: string
  workspace_name: string
  access_level: AccessLevel
  joined_at: string
}

/** Whose Rooms: a person's in every Workspace, or in the one to which a credential is limited. */
interface Whose {
  user_id: string
  workspace_id: string | null
}

/** How many participations one page looks at. Only past so many does a page end before it is full. */
const mostExamined = 1000

/** A page of the Rooms in which a person takes part and that they can open now, the latest invitation first. */
export async function myRoomsPage(
  reader: Reader,
  { user_id, workspace_id }: Whose,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ rooms: MyRoomRow[]; cursor: string | null }> {
  // One Room more than the page holds shows that there is a next page.
  const rows = await reader.many(roomsOfPerson, [user_id, workspace_id, after, limit + 1])
  const found = rows.flatMap(row => (row.room_id === null ? [] : [row]))
  const rooms = found.slice(0, limit)
  if (found.length > limit) return { rooms, cursor: rooms.at(-1)?.participant_id ?? null }
  return { rooms, cursor: rows[0]?.examined_to ?? null }
}

/** `examined_to` is the last participation that was looked at, if there may be more. An empty page is a row without a Room. */
type ScanRow = { examined_to: string | null } & (MyRoomRow | { [K in keyof MyRoomRow]: null })

// By the text, for the index of this list.
const ownSql = `p.user_id::text = $1::uuid::text and p.status = 'active' and ($2::uuid is null or p.workspace_id = $2)
  and ($3::uuid is null or p.id < $3)`

const needed: readonly Scope[] = ['rooms:read']

/** The rule of standing: a member is judged as one, whoever was invited as a guest without a membership as a guest. */
const mayOpenSql = `case when m.id is null then p.as_guest
  else (p.as_guest or p.membership_id = m.id) and ${hasPermissionsSql('m', scopeArraySql(needed))} end`

const roomsOfPerson = read<ScanRow>(
  'rooms_of_person',
  `select extent.examined_to, room.*
   from (select (
     select p.id from room_participants p where ${ownSql} order by p.id desc offset ${mostExamined - 1} limit 1
   ) as examined_to) extent
   left join lateral (
     select p.id as participant_id, p.room_id, named.title, named.room_status as status, p.workspace_id,
       named.workspace_name, p.access_level, coalesce(p.joined_at, p.created_at) as joined_at
     from (select p.* from room_participants p where ${ownSql} order by p.id desc limit ${mostExamined}) p
     cross join lateral (select * from room_of_participant(p.workspace_id, p.room_id) offset 0) named
     left join lateral (
       select m.id, m.role, m.permissions from memberships m
       where m.workspace_id = p.workspace_id and m.user_id = $1 and m.status = 'active' offset 0
     ) m on true
     where ${isActiveSql('p')} and named.workspace_status <> 'closed' and ${mayOpenSql}
     order by p.id desc limit $4
   ) room on true
   order by room.participant_id desc`,
  'long',
)
