import { newUnorderedId, type Id } from '@wbs/contract/ids'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { TestService } from '../../harness/service.ts'

interface Service {
  service: Pick<TestService, 'sql'>
  workspace_id: string
}

/** Inserts a File in a Room directly, a second later than the one before it of the same File. */
export async function addRoomFile(
  { service, workspace_id }: Service,
  { room_id, file_id }: { room_id: string; file_id: string },
  { access_mode = 'inherit_room', status = 'active' }: { access_mode?: string; status?: string } = {},
): Promise<Id<'rfl'>> {
  const id = newUnorderedId('rfl', Date.now())
  await service.sql(
    `insert into room_files (workspace_id, id, room_id, file_id, index_path, access_mode, status, attached_by, attached_at, updated_at, archived_at)
     select $1, $2, $3, $4, 'A file', $5, $6, created_by, now() + (select count(*) from room_files before where before.file_id = $4) * interval '1 second', now(), case when $6 = 'archived' then now() end
     from files where id = $4`,
    [workspace_id, id, room_id, file_id, access_mode, status],
  )
  return id
}

/**
 * Inserts a permission on a File in a Room directly, for the membership or participation with which the user can open the Room
 * now. If it `has_ended`, it belongs to a participation of before.
 */
export const addPermission = (
  { service, workspace_id }: Service,
  room_file_id: string,
  user_id: string,
  access_level: AccessLevel = 'view',
  has_ended = false,
) =>
  service.sql(
    `insert into room_file_permissions (workspace_id, id, room_file_id, room_id, index_path, user_id, access_level, participant_id, membership_id, granted_by, created_at, updated_at)
     select $1, gen_random_uuid(), rf.id, rf.room_id, rf.index_path, $3, $4,
       case when $5 then gen_random_uuid() else part.id end,
       case when part.id is null then m.id else part.membership_id end, $3, now(), now()
     from room_files rf
     left join room_participants part on part.room_id = rf.room_id and part.user_id = $3 and part.status = 'active'
     left join memberships m on m.workspace_id = $1 and m.user_id = $3 and m.status = 'active'
     where rf.id = $2 and ($5 or part.id is not null or m.id is not null)`,
    [workspace_id, room_file_id, user_id, access_level, has_ended],
  )
