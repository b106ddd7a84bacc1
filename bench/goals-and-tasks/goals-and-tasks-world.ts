import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { createClient } from '../../packages/sdk/src/index.ts'
import type { Viewer } from '../../packages/server/src/rooms/visibility/room-visibility-store.ts'
import { fillWithRooms, idOfRoom } from '../rooms/room-world.ts'

export interface Person {
  user_id: string
  access_token: string
}
export type People = Record<'owner' | 'member' | 'viewer' | 'newcomer', Person>

/** Somebody in one of the two Workspaces, and how they identify themselves. */
export type Reader = Viewer & { headers: Record<string, string> }

/** A Workspace of many Goals and Tasks in Rooms that few can see, and one in which everybody sees all Rooms. */
export interface GoalsAndTasksWorld {
  /** Participates in every Room. Every tenth Task, and every tenth Goal, is theirs. */
  owner: Reader
  /** Participates in `member_rooms` Rooms, whose Tasks are theirs, as are some in Rooms that they cannot see any more. */
  member: Reader
  /** The same by an API key. */
  key: Reader
  /** Participates in `associate_rooms` Rooms. */
  associate: Reader
  /** Participates in three Rooms, and has a Task in each. */
  guest: Reader
  ownerOfOpenRooms: Reader
  /** A Room in which all of them participate. */
  room_id: string
}

export interface Size {
  /** How many Goals and how many Tasks each Workspace has; the first has as many Rooms, too. */
  rows: number
  member_rooms: number
  associate_rooms: number
  open_rooms: number
}

export async function makeGoalsAndTasksWorld(
  client: pg.Client,
  base_url: string,
  { owner, member, viewer, newcomer }: People,
  size: Size,
): Promise<GoalsAndTasksWorld> {
  const { rows, member_rooms, associate_rooms, open_rooms } = size
  const open = async ({ access_token }: Person) => {
    const options = { idempotency_key: randomUUID() }
    const { workspace } = await createClient({ base_url, access_token }).createWorkspace(
      { name: 'Of many Goals and Tasks' },
      options,
    )
    return workspace.id
  }
  const workspace_id = await open(owner)
  // A guest must already be a user of the service.
  await open(newcomer)
  for (const user_id of [member.user_id, viewer.user_id])
    await client.query(
      `insert into memberships (id, workspace_id, user_id, role, status, joined_at, created_at)
       values (gen_random_uuid(), $1, $2, 'admin', 'active', now(), now())`,
      [workspace_id, user_id],
    )
  await fillWithRooms(client, workspace_id, { rooms: rows }, [
    { user_id: owner.user_id, as_guest: false, rooms: rows },
    { user_id: member.user_id, as_guest: false, rooms: member_rooms },
    { user_id: viewer.user_id, as_guest: false, rooms: associate_rooms },
    { user_id: newcomer.user_id, as_guest: true, rooms: 3 },
  ])
  const ofMember = createClient({ base_url, access_token: member.access_token, workspace_id })
  const { secret } = await ofMember.createApiKey({ name: 'Reader', scopes: ['goals:read', 'tasks:read'] })
  await fill(client, workspace_id, { owner, member, guest: newcomer }, { rows, rooms: rows })

  const open_workspace_id = await open(owner)
  await fillWithRooms(client, open_workspace_id, { rooms: open_rooms }, [
    { user_id: owner.user_id, as_guest: false, rooms: 1 },
  ])
  await client.query(
    `update rooms set general_access = 'workspace', general_access_level = 'view' where workspace_id = $1`,
    [open_workspace_id],
  )
  await fill(client, open_workspace_id, { owner, member, guest: newcomer }, { rows, rooms: open_rooms })
  await client.query('vacuum (analyze)')

  const [{ id: room_id } = { id: '' }] = (
    await client.query<{ id: string }>(`select ${idOfRoom('$1::integer')} as id`, [rows])
  ).rows
  const reader = (user_id: string, headers: Record<string, string>, workspace = workspace_id): Reader => ({
    workspace_id: workspace,
    user_id,
    headers,
    is_member: user_id !== newcomer.user_id,
    reads_businesses: user_id !== newcomer.user_id,
    reads_lists: user_id !== newcomer.user_id,
  })
  const bearer = ({ access_token }: Person) => ({ authorization: `Bearer ${access_token}` })
  return {
    owner: reader(owner.user_id, bearer(owner)),
    member: reader(member.user_id, bearer(member)),
    key: reader(member.user_id, { 'x-svc-api-key': String(secret) }),
    associate: reader(viewer.user_id, bearer(viewer)),
    guest: reader(newcomer.user_id, bearer(newcomer)),
    ownerOfOpenRooms: reader(owner.user_id, bearer(owner), open_workspace_id),
    room_id,
  }
}

/**
 * Nine of ten rows are in a Room, in turns; the others are without one. The row with the number n is in the Room n; those of the
 * guest are in their three Rooms. One in seven Tasks is finished, and one in five is overdue.
 */
async function fill(
  client: pg.Client,
  workspace_id: string,
  { owner, member, guest }: { owner: Person; member: Person; guest: Person },
  { rows, rooms }: { rows: number; rooms: number },
) {
  const room = `case when i % 10 <> 5 then ${idOfRoom('(i - 1) % $3::integer + 1')} end`
  const responsible = `case when i * 3::bigint % $3::integer = 0 and $3 > 1000 then $6::uuid when i % 200 = 0 then $5::uuid when i % 10 = 0 then $4::uuid when i % 200 in (101, 199) then $5::uuid end`
  const values = [workspace_id, rows, rooms, owner.user_id, member.user_id, guest.user_id]
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into goals (workspace_id, id, room_id, title, accountable_user_id, due_at, created_by, created_at, updated_at)
     select $1, 'gol_0' || lpad(i::text, 25, '0'), ${room}, 'Goal ' || i, ${responsible}, now() + (i % 100) * interval '1 day', $4, now(), now()
     from generate_series(1, $2::integer) i`,
    values,
  )
  await client.query(
    `insert into tasks (workspace_id, id, room_id, title, kind, status, assignee_user_id, due_at, completed_at, created_by, created_at, updated_at)
     select $1, 'tsk_0' || lpad(i::text, 25, '0'), ${room}, 'Task ' || i, 'task', case when i % 7 = 0 then 'done' else 'open' end, ${responsible},
       now() + (i % 100 - 20) * interval '1 day', case when i % 7 = 0 then now() end, $4, now(), now()
     from generate_series(1, $2::integer) i`,
    values,
  )
  await client.query('set session_replication_role = origin')
}
