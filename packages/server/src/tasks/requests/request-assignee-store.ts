import { hasPermissionsSql, scopeArraySql } from '../../call/authority/permissions.ts'
import { read, type Reader } from '../../database/statement.ts'
import { isKnownPersonSql, masksGuestsSql } from '../../rooms/visibility/masked-people-store.ts'
import { levelInSql } from '../../rooms/visibility/room-visibility-store.ts'

/** A user who can be given Tasks of a Room. */
export interface AssigneeRow {
  user_id: string
  name: string | null
  email: string | null
}

/** Who looks for assignees, and where. */
export interface AssigneeSearch {
  workspace_id: string
  room_id: string
  /** The caller, and whether they can see everybody in the Room. */
  user_id: string
  sees_all: boolean
}

/**
 * The users with this id or one of these addresses who can open the Room, may read Tasks and could see there what the caller
 * creates, as far as the caller can see them there.
 */
export const assigneesInRoom = (
  reader: Reader,
  { workspace_id, room_id, user_id, sees_all }: AssigneeSearch,
  sought: { user_id: string | null; emails: readonly string[] },
): Promise<AssigneeRow[]> =>
  reader.many(assignees, {
    workspace_id,
    room_id,
    viewer_id: user_id,
    sees_all,
    user_id: sought.user_id,
    emails: sought.emails,
  })

/** The user `u`, with the membership `m` if there is one. */
const userSql = {
  user_id: 'u.id',
  is_member: '(m.id is not null)',
  reads_businesses: `(m.id is not null and ${hasPermissionsSql('m', scopeArraySql(['businesses:read']))})`,
}

const assignees = read<AssigneeRow>(
  'request_list_assignees',
  `with room as materialized (
     select r.* from rooms r where r.workspace_id = :workspace_id and r.id = :room_id
   ), maybe as materialized (
     select part.user_id as id from room_participants part
     where part.workspace_id = :workspace_id and part.room_id = :room_id and part.status = 'active'
     union
     select held.user_id from memberships held
     where held.workspace_id = :workspace_id and held.status = 'active'
       and exists (select from room where general_access <> 'invited_only')
   )
   select u.id as user_id, u.name, u.email
   from maybe join users u on u.id = maybe.id cross join room r
   left join memberships m on m.workspace_id = :workspace_id and m.user_id = u.id and m.status = 'active'
   where (u.id = :user_id::uuid or u.email = any (:emails::text[]))
     and (:sees_all::boolean or u.id = :viewer_id::uuid or m.id is not null)
     and (m.id is null or ${hasPermissionsSql('m', scopeArraySql(['tasks:read']))})
     and ${levelInSql('r', userSql)} is not null
     and (m.id is not null or not ${masksGuestsSql('r', levelInSql('r', userSql))} or ${isKnownPersonSql(':viewer_id::uuid', 'u.id')})`,
  'long',
)
