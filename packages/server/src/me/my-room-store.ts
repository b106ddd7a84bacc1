import type { AccessLevel, Scope } from '@wbs/contract/scopes'
import { hasPermissionsSql, scopeArraySql } from '../call/authority/permissions.ts'
import { read, type Reader } from '../database/statement.ts'

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

/** A page of the Rooms in which the caller takes part and that they can open now, the latest invitation first. */
export async function myRoomsPage(
  reader: Reader,
  { user_id, workspace_id }: Whose,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ rooms: MyRoomRow[]; cursor: string | null }> {
  const found: MyRoomRow[] = []
  let from = after
  // Most people can open where they take part. One Room more than the page holds shows that there is a next page.
  for (const examined of [limit + 1, mostExamined - limit - 1]) {
    const rows = await reader.many(roomsOfPerson, {
      user_id,
      workspace_id,
      after: from,
      limit: examined,
    })
    found.push(...rows.flatMap(row => (row.room_id === null ? [] : [row])))
    if (found.length > limit) break
    from = rows[0]?.examined_to ?? null
    if (from === null) break
  }
  const rooms = found.slice(0, limit)
  return { rooms, cursor: found.length > limit ? (rooms.at(-1)?.participant_id ?? null) : from }
}

/** `examined_to` is the last participation that was looked at, if there may be more. An empty page is a row without a Room. */
type ScanRow = { examined_to: string | null } & (MyRoomRow | { [K in keyof MyRoomRow]: null })

const needed: readonly Scope[] = ['rooms:read']

/** The rule of standing: a member is judged as one, whoever was invited as a guest without a membership as a guest. */
const mayOpenSql = `case when m.id is null then p.as_guest
  else (p.as_guest or p.membership_id = m.id) and ${hasPermissionsSql('m', scopeArraySql(needed))} end`

const roomsOfPerson = read<ScanRow>(
  'rooms_of_person',
  `with examined as materialized (select * from rooms_of_caller(:workspace_id, :after, :limit))
   select extent.examined_to, room.*
   from (
     select case when count(*) = :limit then (array_agg(p.participant_id order by p.participant_id))[1] end as examined_to
     from examined p
   ) extent
   left join (
     select p.participant_id, p.room_id, p.title, p.room_status as status, p.workspace_id, p.workspace_name, p.access_level,
       p.joined_at
     from examined p
     left join lateral (
       select m.id, m.role, m.permissions from memberships m
       where m.workspace_id = p.workspace_id and m.user_id = :user_id and m.status = 'active' offset 0
     ) m on true
     where p.title is not null and p.workspace_status <> 'closed' and ${mayOpenSql}
   ) room on true
   order by room.participant_id desc`,
  'long',
)
