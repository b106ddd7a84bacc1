import type { Static } from 'typebox'
import { T } from '../json/type.ts'
import { changed, place } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { changeReceipt } from '../receipts.ts'
import { RoomId } from '../rooms/rooms.ts'
import {
  component,
  dateTime,
  id,
  idCursor,
  lineOfText,
  linesOfText,
  nullable,
  oneOf,
  open,
  openSet,
  revision,
  uuid,
} from '../schema.ts'
import { stateMachine } from '../state-machine.ts'
import { GivenMetric, Metric } from './metrics.ts'

export const GoalId = id('gol')

const statuses = ['active', 'completed', 'canceled'] as const

export type GoalStatus = (typeof statuses)[number]

/** Completing and canceling are updates with a status. */
export const goalMachine = stateMachine(statuses, 'active', {
  update: { active: 'active' },
  complete: { active: 'completed' },
  cancel: { active: 'canceled' },
  reopen: { completed: 'active', canceled: 'active' },
})

/** Who created something. */
export const Creator = open({
  type: openSet(['user']),
  id: uuid('The ID of the user; for an API key, of its owner.'),
})

export const Goal = component(
  'Goal',
  open({
    goal_id: GoalId,
    business_id: nullable(id('biz')),
    room_id: nullable(RoomId),
    title: T.String(),
    description: nullable(T.String()),
    status: openSet(statuses),
    accountable_user_id: nullable(uuid('Who answers for the Goal.')),
    due_at: nullable(dateTime()),
    metric: nullable(Metric),
    terminal_reason: nullable(T.String({ description: 'Why the Goal was completed or canceled.' })),
    completed_at: nullable(dateTime()),
    canceled_at: nullable(dateTime()),
    created_by: Creator,
    revision: T.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

/** A Goal as an answer shows it. */
export type GoalAnswer = Static<typeof Goal>

const Title = lineOfText(200, { description: 'The title of the Goal.', example: 'Close by the end of June' })

const Description = linesOfText(10_000, {
  description: 'What the Goal is about.',
  example: 'Signed purchase agreement and funded loan.',
})

export const Reason = linesOfText(2000, {
  description: 'The reason.',
  example: 'The lender has confirmed the closing date.',
})

const Accountable = uuid(
  'Who answers for the Goal: a user who can open its Room or, without a Room, a member of the Workspace who may read Goals.',
)

const common = { tag: 'Goals', audience: 'workspace' } as const

/** What every query of Goals declares. */
export const goalQuery = { ...common, guests: true, scope: 'goals:read' } as const

/** What every change of a Goal declares. */
export const goalMutation = {
  ...common,
  scope: 'goals:write',
  receipt: changeReceipt,
  output: { data: Goal },
  tagged: 'r',
} as const

/** The types of its events, and the feed that shows each. */
export const goalEvents = {
  'goal.created': place(),
  'goal.updated': place({ changed: changed() }),
  'goal.completed': place({ terminal_reason: nullable(T.String()) }),
  'goal.canceled': place({ terminal_reason: nullable(T.String()) }),
  'goal.reopened': place({
    reason: T.String(),
    before: open({
      status: openSet(statuses),
      terminal_reason: nullable(T.String()),
      completed_at: nullable(dateTime()),
      canceled_at: nullable(dateTime()),
    }),
  }),
} as const

export const createGoal = mutation('create_goal', {
  ...goalMutation,
  http: 'POST /v1/goals',
  summary: 'Create a Goal.',
  description:
    'A Goal in a Room is seen by those who can open the Room; you need edit access to it. A Goal without a Room is seen by every member of the Workspace who may read Goals.',
  input: {
    title: Title,
    description: T.Optional(nullable(Description)),
    business_id: T.Optional(nullable(id('biz'))),
    room_id: T.Optional(nullable(RoomId)),
    accountable_user_id: T.Optional(nullable(Accountable)),
    due_at: T.Optional(nullable(dateTime('By when it should be reached.'))),
    metric: T.Optional(nullable(GivenMetric)),
  },
  status: 201,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict'],
  emits: ['goal.created'],
})

export const getGoal = query('get_goal', {
  ...goalQuery,
  http: 'GET /v1/goals/{goal_id}',
  summary: 'Retrieve a Goal.',
  input: { goal_id: GoalId },
  output: { data: Goal },
  problems: ['not_found'],
  tagged: 'r',
})

export const listGoals = query('list_goals', {
  ...goalQuery,
  http: 'GET /v1/goals',
  summary: 'List the Goals that you can see.',
  description:
    'The list is sorted by ID. If you are not a member of the Workspace, it has the Goals of the Rooms that you can open. With a filter, a page may have fewer items than limit, or none; continue while has_more is true.',
  input: {
    business_id: T.Optional(id('biz')),
    room_id: T.Optional(RoomId),
    status: T.Optional(oneOf(statuses, 'Only Goals with this status.')),
    accountable_user_id: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: '^(?:me|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
        description: 'Only Goals for which this user answers: me, or the ID of a user.',
        examples: ['me'],
      }),
    ),
    due_before: T.Optional(dateTime('Only Goals that are due before this time.')),
    cursor: T.Optional(idCursor('gol')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Goal),
  problems: ['not_found'],
})

export const updateGoal = mutation('update_goal', {
  ...goalMutation,
  http: 'PATCH /v1/goals/{goal_id}',
  summary: 'Update, complete or cancel an active Goal.',
  description:
    'With status, the Goal is completed or canceled, and terminal_reason is required. A Goal that is completed or canceled cannot be updated; reopen it first. In a Room you need edit access.',
  input: {
    goal_id: GoalId,
    expected_revision: revision(),
    title: T.Optional(Title),
    description: T.Optional(nullable(Description)),
    business_id: T.Optional(nullable(id('biz'))),
    accountable_user_id: T.Optional(nullable(Accountable)),
    due_at: T.Optional(nullable(dateTime('By when it should be reached. Null: no date.'))),
    metric: T.Optional(nullable(GivenMetric)),
    status: T.Optional(oneOf(['completed', 'canceled'], 'How the Goal ends.')),
    terminal_reason: T.Optional(Reason),
  },
  rules: [
    {
      rule: 'some',
      fields: ['title', 'description', 'business_id', 'accountable_user_id', 'due_at', 'metric', 'status'],
    },
    { rule: 'requires', field: 'status', needs: 'terminal_reason' },
    { rule: 'requires', field: 'terminal_reason', needs: 'status' },
  ],
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['goal.updated', 'goal.completed', 'goal.canceled'],
})

export const reopenGoal = mutation('reopen_goal', {
  ...goalMutation,
  http: 'POST /v1/goals/{goal_id}/reopen',
  summary: 'Reopen a Goal that was completed or canceled.',
  description:
    'The Goal becomes active again. Its terminal_reason, completed_at and canceled_at are cleared; the event of the change keeps them. In a Room you need edit access.',
  input: { goal_id: GoalId, expected_revision: revision(), reason: Reason },
  status: 200,
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['goal.reopened'],
})
