import { randomUUIDv7 } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { Person, TestService } from './service.ts'

/** Inserts a participant of a Room directly, and gives its id. */
export async function enterRoom(
  service: TestService,
  { workspace_id, room_id }: { workspace_id: string; room_id: string },
  person: Person,
  access_level: AccessLevel,
): Promise<string> {
  const id = randomUUIDv7()
  await service.sql(
    `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, email, email_key, access_level, status, created_at, updated_at)
     values ($1, $2, $3, $4, not exists (select from memberships m where m.workspace_id = $1 and m.user_id = $4 and m.status = 'active'), $5, lower($5), $6, 'active', now(), now())`,
    [workspace_id, room_id, id, person.user_id, person.email, access_level],
  )
  return id
}
