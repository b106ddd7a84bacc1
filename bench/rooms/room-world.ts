import type pg from 'pg'

/** Somebody in a Workspace, and in how many of its Rooms they participate. */
export interface Seat {
  user_id: string
  /** Whether they are a guest. */
  as_guest: boolean
  rooms: number
}

/**
 * Fills a Workspace with Rooms by SQL, and adds the seats as participants, each to as many Rooms as it says, evenly
 * spaced. Each Room has as many events, inserted one Room after the other, by the first seat. Each seat must be a user
 * already, and a member unless it is a guest. The caller must run ANALYZE.
 */
export async function fillWithRooms(
  client: pg.ClientBase | pg.Pool,
  workspace_id: string,
  { rooms, events = 1 }: { rooms: number; events?: number },
  seats: readonly Seat[],
): Promise<void> {
  const [first] = seats
  if (!first) throw new Error('A Room needs somebody who opened it.')
  await client.query(
    `insert into rooms (workspace_id, id, title, general_access, created_by, created_at, updated_at)
     select $1, ${idOfRoom('i')}, 'Room ' || i, 'invited_only', $2, now(), now() from generate_series(1, $3::integer) i`,
    [workspace_id, first.user_id, rooms],
  )
  for (const { user_id, as_guest, rooms: seated } of seats)
    await client.query(
      `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
       select $1, ${idOfRoom('i')}, gen_random_uuid(), $2, $3, 'edit', 'active', now(), now()
       from (select n::bigint * $5 / $4::integer as i from generate_series(1, $4::integer) n) places`,
      [workspace_id, user_id, as_guest, seated, rooms],
    )
  await client.query(
    `with counter as (
       update feed_positions set last_position = last_position + $3::integer * $4::integer where workspace_id = $1
       returning last_position - $3::integer * $4::integer as before
     )
     insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, data, command_id, ordinal)
     select $1, before + n, 'evt_' || lpad((before + n)::text, 26, '0'), 'room.updated', 'activity', now(),
       jsonb_build_object('type', 'person', 'user_id', $2::text, 'name', 'Olivia', 'via', null),
       jsonb_build_object('type', 'room', 'id', ${idOfRoom('i')}, 'name', 'Room ' || i), ${idOfRoom('i')}, '{"changed":["title"]}', gen_random_uuid(), 0
     from counter, generate_series(1, $3::integer * $4::integer) n, lateral (select (n - 1) % $3::integer + 1 as i) room`,
    [workspace_id, first.user_id, rooms, events],
  )
}

/** SQL: the id of the Room with a number. */
export const idOfRoom = (number: string) => `'rom_0' || lpad((${number})::text, 25, '0')`
