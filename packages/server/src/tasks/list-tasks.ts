import { listTasks } from '@wbs/contract/tasks/tasks'
import { implement } from '../call/implement.ts'
import { requireRoomOfFilter } from '../rooms/place-access.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { tasksPage } from './task-page-store.ts'
import { presentTask } from './task-view.ts'

export const handleListTasks = implement(listTasks, async function listTasks(input, context) {
  const { room_id, business_id, goal_id, status, kind, priority, due_before, overdue } = input
  const { cursor: after = '', limit = 20 } = input
  const { caller, read, standing } = context
  await requireRoomOfFilter(context, room_id)
  const assignee = input.assignee === 'me' ? caller.user_id : input.assignee
  const filter = { room_id, business_id, goal_id, assignee, status, kind, priority, due_before, overdue }
  const { rows, cursor } = await tasksPage(read, viewerOf(context), filter, { after, limit })
  const data = rows.map(task => presentTask(task, standing))
  return { result: { data, page: { cursor, has_more: cursor !== null } } }
})
