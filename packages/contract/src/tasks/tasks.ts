import { T } from '../json/type.ts'
import { GoalId, Reason } from '../goals/goals.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { RoomId } from '../rooms/rooms.ts'
import { dateTime, id, idCursor, nullable, oneOf, revision } from '../schema.ts'
import {
  Assignee,
  Description,
  DueAt,
  fileIds,
  Note,
  priorities,
  RequiresEvidence,
  Section,
  Task,
  TaskId,
  taskKinds,
  taskQuery,
  taskStatuses,
  taskWriting,
  Title,
  unfinishedStatuses,
} from './task-schema.ts'

/** What every change of a Task declares. */
const taskMutation = { ...taskWriting, output: { data: Task }, tagged: 'r' } as const

export const createTask = mutation('create_task', {
  ...taskMutation,
  http: 'POST /v1/tasks',
  summary: 'Create a Task.',
  description:
    'A Task in a Room is seen by those who can open the Room. Creating one requires edit access to the Room; a question requires view access only. A Task without a Room is seen by every member of the Workspace who may read Tasks. With a Goal that is in a Room, the Task is in that Room too. Assigning a Task does not give access to anything; the assignee gets a mail.',
  input: {
    title: Title,
    description: T.Optional(nullable(Description)),
    section: T.Optional(nullable(Section)),
    room_id: T.Optional(nullable(RoomId)),
    business_id: T.Optional(nullable(id('biz'))),
    goal_id: T.Optional(nullable(GoalId)),
    assignee_user_id: T.Optional(nullable(Assignee)),
    due_at: T.Optional(nullable(DueAt)),
    priority: T.Optional(oneOf(priorities, 'By default none.')),
    kind: T.Optional(oneOf(taskKinds, 'By default task. It cannot change.')),
    requires_evidence: T.Optional(RequiresEvidence),
  },
  status: 201,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict'],
  emits: ['task.created'],
})

export const getTask = query('get_task', {
  ...taskQuery,
  http: 'GET /v1/tasks/{task_id}',
  summary: 'Retrieve a Task.',
  input: { task_id: TaskId },
  output: { data: Task },
  problems: ['not_found'],
  tagged: 'r',
})

export const listTasks = query('list_tasks', {
  ...taskQuery,
  http: 'GET /v1/tasks',
  summary: 'List the Tasks that you can see.',
  description:
    'The list is sorted by ID. If you are not a member of the Workspace, it has the Tasks of the Rooms that you can open. With a filter, a page may have fewer items than limit, or none; continue while has_more is true.',
  input: {
    room_id: T.Optional(RoomId),
    business_id: T.Optional(id('biz')),
    goal_id: T.Optional(GoalId),
    assignee: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: '^(?:me|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
        description: 'Only Tasks assigned to this user: me, or the ID of a user.',
        examples: ['me'],
      }),
    ),
    status: T.Optional(oneOf(taskStatuses, 'Only Tasks with this status.')),
    kind: T.Optional(oneOf(taskKinds, 'Only Tasks of this kind.')),
    priority: T.Optional(oneOf(priorities, 'Only Tasks with this priority.')),
    due_before: T.Optional(dateTime('Only Tasks that are due before this time.')),
    overdue: T.Optional(
      T.Boolean({ description: 'Only unfinished Tasks whose due_at has passed, or only all others.' }),
    ),
    cursor: T.Optional(idCursor('tsk')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Task),
  problems: ['not_found'],
})

export const updateTask = mutation('update_task', {
  ...taskMutation,
  http: 'PATCH /v1/tasks/{task_id}',
  summary: 'Update an unfinished Task.',
  description:
    'In a Room, this requires edit access or that you created the Task; its assignee can change the status as well. A Task that is done or canceled cannot be updated; reopen it first.',
  input: {
    task_id: TaskId,
    expected_revision: revision(),
    title: T.Optional(Title),
    description: T.Optional(nullable(Description)),
    section: T.Optional(nullable(Section)),
    business_id: T.Optional(nullable(id('biz'))),
    goal_id: T.Optional(nullable(GoalId)),
    assignee_user_id: T.Optional(nullable(Assignee)),
    due_at: T.Optional(nullable(DueAt)),
    priority: T.Optional(oneOf(priorities)),
    requires_evidence: T.Optional(RequiresEvidence),
    status: T.Optional(oneOf(unfinishedStatuses, 'How far the Task is.')),
  },
  rules: [
    {
      rule: 'some',
      fields: [
        'title',
        'description',
        'section',
        'business_id',
        'goal_id',
        'assignee_user_id',
        'due_at',
        'priority',
        'requires_evidence',
        'status',
      ],
    },
  ],
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['task.updated', 'task.assigned'],
})

export const completeTask = mutation('complete_task', {
  ...taskMutation,
  http: 'POST /v1/tasks/{task_id}/complete',
  summary: 'Complete a Task.',
  description:
    'In a Room, this requires edit access, or that you created the Task or it is assigned to you. If the Task requires evidence, it needs at least one File: one of evidence_file_ids, or one that was added earlier and is still there. Naming Files takes the permission files:read. A Task can have at most 100 Files as evidence.',
  input: {
    task_id: TaskId,
    expected_revision: revision(),
    note: T.Optional(Note),
    evidence_file_ids: T.Optional(fileIds('The Files that prove it.')),
  },
  status: 200,
  problems: [
    'validation_error',
    'forbidden',
    'not_found',
    'state_conflict',
    'revision_conflict',
    'limit_reached',
    'evidence_required',
  ],
  emits: ['task.completed'],
})

export const cancelTask = mutation('cancel_task', {
  ...taskMutation,
  http: 'POST /v1/tasks/{task_id}/cancel',
  summary: 'Cancel a Task.',
  description: 'In a Room, this requires edit access or that you created the Task.',
  input: { task_id: TaskId, expected_revision: revision(), note: T.Optional(Note) },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['task.canceled'],
})

export const reopenTask = mutation('reopen_task', {
  ...taskMutation,
  http: 'POST /v1/tasks/{task_id}/reopen',
  summary: 'Reopen a Task that is done or canceled.',
  description:
    'Its status becomes open. Its terminal_reason, completed_at and canceled_at are cleared; the event of the change keeps them. Its evidence stays. In a Room, this requires edit access, or that you created the Task or it is assigned to you.',
  input: { task_id: TaskId, expected_revision: revision(), note: T.Optional(Reason) },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['task.reopened'],
})
