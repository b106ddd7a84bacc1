import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { newId } from '../../packages/contract/src/ids.ts'

/** Fills a Workspace with Rooms that all its members can open, and with their events. By SQL, which takes seconds. */
export async function fillWorkspace(
  address: pg.ClientConfig,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  size: { rooms: number; events: number },
): Promise<void> {
  const client = new pg.Client({ ...address, options: '-c search_path=svc,public -c role=svc_owner' })
  await client.connect()
  try {
    await client.query(
      `select set_config('svc.workspace_id', $1, false), set_config('svc.user_id', $2, false)`,
      [workspace_id, user_id],
    )
    const rooms = Array.from({ length: size.rooms }, () => newId('rom'))
    await client.query(insertRooms, [workspace_id, user_id, rooms])
    for (let done = 0; done < size.events; done += 10_000) {
      const ids = Array.from({ length: Math.min(10_000, size.events - done) }, () => newId('evt'))
      const roomOf = ids.map((_, i) => rooms[(i * 7919) % rooms.length])
      await client.query(insertEvents, [workspace_id, user_id, ids, roomOf, randomUUID()])
    }
    await client.query('analyze rooms, events')
  } finally {
    await client.end()
  }
}

const insertRooms = `
  insert into rooms (workspace_id, id, title, status, general_access, general_access_level, created_by, created_at, updated_at)
  select $1, id, 'Room ' || number, 'active', 'workspace', 'view', $2, now(), now()
  from unnest($3::text[]) with ordinality as room (id, number)`

const insertEvents = `
  with counter as (
    update feed_positions set last_position = last_position + cardinality($3::text[]) where workspace_id = $1
    returning last_position - cardinality($3::text[]) as before
  )
  insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, data, command_id, ordinal)
  select $1, counter.before + number, event.id, 'room.updated', 'activity', now(),
    jsonb_build_object('type', 'person', 'user_id', $2::uuid, 'name', 'Somebody', 'via', null),
    jsonb_build_object('type', 'room', 'id', room_id, 'name', 'A Room'), room_id, '{"changed":["title"]}', $5, number
  from counter, unnest($3::text[], $4::text[]) with ordinality as event (id, room_id, number)`
