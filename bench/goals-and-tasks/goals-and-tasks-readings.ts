import { goalsPage, type GoalFilter } from '../../packages/server/src/goals/goal-page-store.ts'
import { tasksPage, type TaskFilter } from '../../packages/server/src/tasks/task-page-store.ts'
import type { Reading } from '../reads/compare-reads.ts'
import type { GoalsAndTasksWorld, Reader } from './goals-and-tasks-world.ts'

const anyGoal: GoalFilter = {
  business_id: undefined,
  room_id: undefined,
  status: undefined,
  accountable_user_id: undefined,
  due_before: undefined,
}
const anyTask: TaskFilter = {
  room_id: undefined,
  business_id: undefined,
  goal_id: undefined,
  assignee: undefined,
  status: undefined,
  kind: undefined,
  priority: undefined,
  due_before: undefined,
  overdue: undefined,
}

/** After the middle of all ids, so that a page lies deep in the list. */
const middleOf = (prefix: 'gol' | 'tsk', rows: number) =>
  `${prefix}_0${String(Math.floor(rows / 2)).padStart(25, '0')}`

export function readingsOf(world: GoalsAndTasksWorld, rows: number): Reading[] {
  const { owner, member, key, associate, guest, ownerOfOpenRooms } = world
  const lists = [
    ['owner in every Room', owner, 'of_participant_in_all'],
    ['owner, everybody sees all Rooms', ownerOfOpenRooms, 'of_open_rooms'],
    ['member of 5,000 Rooms', associate, 'of_member'],
    ['member of 500 Rooms', member, 'of_member'],
    ['API key of that member', key, 'of_member'],
    ['guest of three Rooms', guest, 'of_guest'],
  ] as const
  const mine = [
    ['owner in every Room', owner, 'mine'],
    ['member of 500 Rooms', member, 'mine'],
    ['guest of three Rooms', guest, 'mine_as_guest'],
  ] as const
  return [
    ...lists.map(([who, reader, floor]) => goals(`Goals: ${who}`, reader, {}, `goals_${floor}`)),
    ...mine.map(([who, reader, floor]) =>
      goals(`Goals, mine: ${who}`, reader, { accountable_user_id: 'me' }, `goals_${floor}`),
    ),
    ...lists.map(([who, reader, floor]) => tasks(`Tasks: ${who}`, reader, {}, `tasks_${floor}`)),
    ...lists.map(([who, reader, floor]) =>
      tasks(`Tasks, deep page: ${who}`, reader, {}, `tasks_${floor}`, middleOf('tsk', rows)),
    ),
    ...mine.map(([who, reader, floor]) =>
      tasks(`Tasks, mine: ${who}`, reader, { assignee: 'me' }, `tasks_${floor}`),
    ),
    tasks('Tasks, mine and open: member of 500 Rooms', member, mineAndOpen, 'tasks_mine_open'),
    tasks('Tasks, mine and overdue: owner in every Room', owner, mineAndOverdue, 'tasks_mine_overdue'),
    tasks('Tasks of a Room: guest of three Rooms', guest, { room_id: world.room_id }, 'tasks_of_room'),
  ]
}

const mineAndOpen = { assignee: 'me', status: 'open' } as const
const mineAndOverdue = { assignee: 'me', overdue: true } as const

function goals(name: string, reader: Reader, filter: Partial<GoalFilter>, floor: string): Reading {
  const { accountable_user_id } = filter
  const asked = { ...anyGoal, ...filter, ...(accountable_user_id && { accountable_user_id: reader.user_id }) }
  return {
    name,
    reader,
    headers: reader.headers,
    path: pathOf('goals', filter, ''),
    floor: { name: floor, values: valuesOf(reader, '', filter) },
    idsIn: answer => (answer as { data: { goal_id: string }[] }).data.map(goal => goal.goal_id),
    run: statements => goalsPage(statements, reader, asked, { after: '', limit: 20 }),
  }
}

function tasks(
  name: string,
  reader: Reader,
  filter: Partial<TaskFilter>,
  floor: string,
  after = '',
): Reading {
  const { assignee } = filter
  const asked = { ...anyTask, ...filter, ...(assignee && { assignee: reader.user_id }) }
  return {
    name,
    reader,
    headers: reader.headers,
    path: pathOf('tasks', filter, after),
    floor: { name: floor, values: valuesOf(reader, after, filter) },
    idsIn: answer => (answer as { data: { task_id: string }[] }).data.map(task => task.task_id),
    run: statements => tasksPage(statements, reader, asked, { after, limit: 20 }),
  }
}

function pathOf(noun: string, filter: object, after: string): string {
  const asked = new URLSearchParams({ limit: '20', ...(after && { cursor: after }) })
  for (const [name, value] of Object.entries(filter)) asked.set(name, String(value))
  return `/v1/${noun}?${asked.toString()}`
}

const valuesOf = (
  { workspace_id, user_id }: Reader,
  after: string,
  { room_id }: { room_id?: string | undefined },
) => (room_id === undefined ? [workspace_id, user_id, after] : [workspace_id, user_id, after, room_id])
