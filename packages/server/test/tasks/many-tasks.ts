import { fillWithRooms, idOfRoom } from '../../../../bench/rooms/room-world.ts'
import { addBusiness } from '../harness/businesses.ts'
import type { RoomWorld } from '../rooms/room-fixture.ts'
import { addGoal } from './fresh-task.ts'
import { superuserPool } from '../harness/postgres/superuser-pool.ts'

const rooms = 300

/** The Room with a tenth of the Tasks, which masks guests. */
export const maskedRoom = `rom_0${String(rooms).padStart(25, '0')}`

/**
 * Fills a Workspace with Tasks: a fifth without a Room, a tenth in the masked Room with the guest and the rival, the others in
 * 299 Rooms, of which the owner takes part in all, the member in 20 and the guest in two. One in twenty is not finished. Each
 * member has thousands, each guest a thousand.
 */
export async function fillWithTasks({ service, workspace_id, people }: RoomWorld, tasks: number) {
  const { owner, admin, member, viewer, guest, rival } = people
  // There are statistics only after ANALYZE.
  for (const table of ['tasks', 'rooms', 'room_participants'])
    await service.sql(`alter table ${table} set (autovacuum_enabled = off)`)
  const pool = superuserPool(service.testDatabase.address)
  await fillWithRooms(pool, workspace_id, { rooms }, [
    { user_id: owner.user_id, as_guest: false, rooms },
    { user_id: member.user_id, as_guest: false, rooms: 20 },
    { user_id: guest.user_id, as_guest: true, rooms: 3 },
    { user_id: rival.user_id, as_guest: true, rooms: 1 },
  ])
  await pool.query(`update rooms set participant_visibility = 'managers' where id = $1`, [maskedRoom])
  const business_id = await addBusiness(service, { name: 'Glacier' })
  const goal_id = await addGoal(service, { workspace_id }, owner)
  const client = await pool.connect()
  // What is filled in here fits together, so no foreign key is checked.
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into tasks (workspace_id, id, room_id, business_id, goal_id, title, kind, status, priority, assignee_user_id,
       due_at, completed_at, created_by, created_at, updated_at)
     select $1, 'tsk_0' || lpad(i::text, 25, '0'),
       case when i % 5 = 0 then null when i % 10 = 1 then $2 else ${idOfRoom('i::bigint * 7919 % 299 + 1')} end,
       case when i % 25 = 4 then $3 end, case when i % 50 = 7 then $4 end, 'Task ' || i,
       case when i % 89 = 0 then 'question' else 'task' end, status, case when i % 101 = 0 then 'urgent' else 'none' end,
       case when i % 100 = 1 then $5::uuid when i % 100 = 11 then $6 when i % 20 = 0 then $7 when i % 20 = 3 then $8
         when i % 20 = 5 then $9 when i % 20 = 7 then $11 end,
       now() + case when i % 3 = 0 then interval '-1 day' else interval '10 days' end,
       case when status = 'done' then now() end, $7, now(), now()
     from generate_series(1, $10::integer) i, lateral (
       select case when i * 31 % 97 < 4 then 'open' when i * 31 % 97 = 5 then 'blocked' else 'done' end as status) s`,
    [
      workspace_id,
      maskedRoom,
      business_id,
      goal_id,
      guest.user_id,
      rival.user_id,
      owner.user_id,
      member.user_id,
      viewer.user_id,
      tasks,
      admin.user_id,
    ],
  )
  client.release(true)
  await pool.end()
  return { business_id, goal_id }
}
