import type { TestService } from '../harness/service.ts'
import { idOfRoom } from '../../../../bench/rooms/room-world.ts'

/** What many Goals are about. */
export interface ManyGoals {
  goals: number
  /** How many Rooms the Workspace has, with ids as fillWithRooms gives them. One Goal of ten has no Room. */
  rooms: number
  created_by: string
  /** Each answers for as many of the Goals. */
  accountable: readonly string[]
  /** Each Business has as many of the Goals. */
  businesses: readonly string[]
}

/** Inserts Goals, evenly spread, of which three of ten are active. */
export const insertGoals = (
  service: TestService,
  workspace_id: string,
  { goals, rooms, created_by, accountable, businesses }: ManyGoals,
) =>
  service.sql(
    `insert into goals (workspace_id, id, room_id, business_id, title, description, status, accountable_user_id, due_at, metric,
       terminal_reason, completed_at, created_by, created_at, updated_at)
     select $1, 'gol_0' || lpad(i::text, 25, '0'),
       case when i % 10 > 0 then ${idOfRoom('(i::bigint * 7919) % $3::integer + 1')} end,
       ($6::text[])[i % cardinality($6::text[]) + 1], 'Goal ' || i, 'What it is about.',
       case when i % 10 < 3 then 'active' else 'completed' end, ($5::uuid[])[i % cardinality($5::uuid[]) + 1],
       now() + i * interval '1 minute',
       jsonb_build_object('name', 'Letters', 'target', '3', 'source', jsonb_build_object('type', 'manual', 'id', null)),
       case when i % 10 >= 3 then 'Done.' end, case when i % 10 >= 3 then now() end, $4, now(), now()
     from generate_series(1, $2::integer) i`,
    [workspace_id, goals, rooms, created_by, accountable, businesses],
  )
