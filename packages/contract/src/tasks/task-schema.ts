import type { Static } from 'typebox'
import { T } from '../json/type.ts'
import { changed, place } from '../event-declaration.ts'
import { Creator, GoalId } from '../goals/goals.ts'
import { changeReceipt } from '../receipts.ts'
import { RoomId } from '../rooms/rooms.ts'
import { component, dateTime, id, lineOfText, linesOfText, nullable, open, openSet, uuid } from '../schema.ts'
import { stateMachine } from '../state-machine.ts'

export const TaskId = id('tsk')

export const taskStatuses = ['open', 'in_progress', 'blocked', 'done', 'canceled'] as const

export type TaskStatus = (typeof taskStatuses)[number]

/** The statuses of a Task that is not finished. Its updates move it freely among them. */
export const unfinishedStatuses = ['open', 'in_progress', 'blocked'] as const

const fromUnfinished = <To extends TaskStatus>(to: To) => ({ open: to, in_progress: to, blocked: to })

export const taskMachine = stateMachine(taskStatuses, 'open', {
  open: fromUnfinished('open'),
  start: fromUnfinished('in_progress'),
  block: fromUnfinished('blocked'),
  complete: fromUnfinished('done'),
  cancel: fromUnfinished('canceled'),
  reopen: { done: 'open', canceled: 'open' },
})

export const taskKinds = ['task', 'question', 'evidence_request'] as const

export type TaskKind = (typeof taskKinds)[number]

export const priorities = ['none', 'low', 'medium', 'high', 'urgent'] as const

export type Priority = (typeof priorities)[number]

/** A File that a Task or a comment names. */
export const NamedFile = open({
  file_id: id('fil'),
  name: nullable(T.String({ description: 'Null if you cannot open the File.' })),
})

export const Task = component(
  'Task',
  open({
    task_id: TaskId,
    room_id: nullable(RoomId),
    business_id: nullable(id('biz')),
    goal_id: nullable(GoalId),
    title: T.String(),
    description: nullable(T.String()),
    section: nullable(T.String({ description: 'The part of a request list that the Task belongs to.' })),
    kind: openSet(taskKinds),
    status: openSet(taskStatuses),
    priority: openSet(priorities),
    assignee_user_id: nullable(uuid('The user to whom the Task is assigned.')),
    requires_evidence: T.Boolean({ description: 'Whether a File is needed to complete the Task.' }),
    evidence: T.Array(
      open({
        ...NamedFile.properties,
        added_by: uuid('The ID of the user who added the File.'),
        added_at: dateTime(),
      }),
    ),
    due_at: nullable(dateTime()),
    terminal_reason: nullable(
      T.String({ description: 'The note with which the Task was completed or canceled.' }),
    ),
    completed_at: nullable(dateTime()),
    canceled_at: nullable(dateTime()),
    created_by: Creator,
    revision: T.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

/** A Task as an answer shows it. */
export type TaskAnswer = Static<typeof Task>

export const Title = lineOfText(200, {
  description: 'The title of the Task.',
  example: 'Send the federal tax returns of the last three years',
})

export const Description = linesOfText(10_000, {
  description: 'What is to be done.',
  example: 'Form 1120-S with all schedules, as filed.',
})

export const Section = lineOfText(200, {
  description: 'The part of a request list that the Task belongs to.',
  example: 'Financial statements and tax returns',
})

export const Note = linesOfText(2000, {
  description: 'What was done, or why it ends.',
  example: 'All three returns are in the folder Financials.',
})

export const Assignee = uuid(
  'To whom the Task is assigned: a user who can open its Room or, without a Room, a member of the Workspace who may read Tasks.',
)

export const DueAt = dateTime('By when it should be done.')

export const RequiresEvidence = T.Boolean({
  description: 'Whether a File is needed to complete the Task. Always true for an evidence_request.',
})

/** Files as evidence or with a comment. */
export const fileIds = (description: string) =>
  T.Array(id('fil'), {
    maxItems: 50,
    uniqueItems: true,
    description: `${description} You must be able to open each of them, and a Task in a Room takes only Files of the Room.`,
  })

const common = { tag: 'Tasks', audience: 'workspace', guests: true } as const

/** What every query of Tasks declares. */
export const taskQuery = { ...common, scope: 'tasks:read' } as const

/** What every change declares that is made with the permission to write Tasks. */
export const taskWriting = { ...common, scope: 'tasks:write', receipt: changeReceipt } as const

/** The types of its events, and the feed that shows each. */
export const taskEvents = {
  'task.created': place({ kind: openSet(taskKinds) }),
  'task.assigned': place(),
  'task.updated': place({ changed: changed() }),
  'task.commented': place({ comment_id: uuid() }),
  'task.completed': place({ evidence_file_ids: T.Array(id('fil')) }),
  'task.canceled': place(),
  'task.reopened': place({
    note: nullable(T.String()),
    earlier: open({
      status: openSet(taskStatuses),
      terminal_reason: nullable(T.String()),
      completed_at: nullable(dateTime()),
      canceled_at: nullable(dateTime()),
    }),
  }),
} as const
