import type { Static } from 'typebox'
import { T } from '../json/type.ts'
import { activity } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { changeReceipt, roomChangeReceipt } from '../receipts.ts'
import { RoomId } from '../rooms/rooms.ts'
import {
  component,
  dateTime,
  id,
  idCursor,
  linesOfText,
  nullable,
  oneOf,
  open,
  openSet,
  revision,
  uuid,
} from '../schema.ts'
import { stateMachine } from '../state-machine.ts'
import { asked, connectionPath, connectionTag } from './connections.ts'

export const ApprovalId = id('apr')

export const approvalStatuses = [
  'pending',
  'approved',
  'declined',
  'canceled',
  'expired',
  'executed',
  'failed',
] as const

export type ApprovalStatus = (typeof approvalStatuses)[number]

/**
 * `held` is an approval with the status approved that waits for the resumption of its connection. From `approved`, only
 * `execute` and `fail` are possible once the action was sent, and only the others before.
 */
export type ApprovalState = ApprovalStatus | 'held'

export const approvalMachine = stateMachine([...approvalStatuses, 'held' as const], 'pending', {
  approve: { pending: 'approved' },
  approve_while_paused: { pending: 'held' },
  decline: { pending: 'declined' },
  cancel: { pending: 'canceled' },
  expire: { pending: 'expired', held: 'expired', approved: 'expired' },
  hold: { approved: 'held' },
  resume: { held: 'approved' },
  stop: { pending: 'canceled', held: 'canceled', approved: 'canceled' },
  // The requester or the one who approved has lost what the action requires.
  lose_authority: { approved: 'canceled' },
  execute: { approved: 'executed' },
  fail: { approved: 'failed' },
})

/** Why an execution failed. With outcome_unknown the app may or may not have carried it out; it is never sent again. */
const failures = ['refused', 'access_refused', 'unreachable', 'invalid_answer', 'outcome_unknown'] as const

export type ExecutionFailure = (typeof failures)[number]

const Person = open({ type: openSet(['user']), id: uuid() })

export const Approval = component(
  'Approval',
  open({
    approval_id: ApprovalId,
    room_id: RoomId,
    connection_id: uuid(),
    requested_by: Person,
    asked_of_user_id: uuid('The person who shares the connection.'),
    operation: T.String(),
    summary: T.String({ description: 'What would be done, in one line.' }),
    note: nullable(T.String({ description: 'What the requester wrote.' })),
    arguments: T.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    arguments_sha256: T.String({
      description: 'The SHA-256 of the arguments in the form of RFC 8785, in lower-case hexadecimal.',
    }),
    status: openSet(approvalStatuses),
    held_for: nullable(openSet(['resume'])),
    expires_at: dateTime(),
    decided_by: nullable(Person),
    decided_at: nullable(dateTime()),
    decision_note: nullable(T.String()),
    self_decided: T.Boolean({ description: 'Whether the requester decided.' }),
    result: nullable(
      open({
        outcome: openSet(['succeeded', 'failed']),
        code: nullable(openSet(failures)),
        detail: nullable(T.String()),
        output: T.Unknown({ description: 'What the app answered, as the plugin gives it.' }),
        at: dateTime(),
      }),
    ),
    revision: T.Integer(),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

/** An approval as an answer shows it. */
export type ApprovalAnswer = Static<typeof Approval>

const Note = (description: string) =>
  linesOfText(2000, { description, example: 'As agreed in the call this morning.' })

const approvalTag = { ...connectionTag, tag: 'Approvals' } as const

/** What every decision of an approval declares. */
const deciding = {
  ...approvalTag,
  scope: 'approvals:decide',
  receipt: changeReceipt,
  output: { data: Approval },
  status: 200,
  tagged: 'r',
} as const

/** What the events of approvals hold. */
const ofApproval = { connection_id: uuid(), operation: T.String() }

/** The types of its events, and the feed that shows each. */
export const approvalEvents = {
  'approval.requested': activity(ofApproval),
  'approval.approved': activity({
    ...ofApproval,
    required: T.Boolean({ description: 'Whether a person had to approve it.' }),
    held_for: nullable(openSet(['resume'])),
  }),
  'approval.declined': activity(ofApproval),
  'approval.canceled': activity({ ...ofApproval, reason: T.String() }),
  'approval.expired': activity(ofApproval),
  'approval.executed': activity(ofApproval),
  'approval.failed': activity({ ...ofApproval, code: T.String() }),
} as const

export const requestAction = mutation('request_approval', {
  ...approvalTag,
  scope: 'connections:use',
  receipt: roomChangeReceipt,
  limits: ['write', 'run'],
  http: 'POST /v1/rooms/{room_id}/connections/{connection_id}/actions',
  summary: 'Request an action through a shared connection.',
  description:
    'Requires edit access to the Room, and that the connection is live. The person who shares the connection is asked, and gets a mail; they or somebody with full access to the Room decide. An operation that requires no approval runs at once, and the answer has its result. An API key can request, and cannot decide. A Room can have at most 1,000 requests that are open.',
  input: {
    ...connectionPath,
    ...asked,
    note: T.Optional(Note('Why the action is requested.')),
    expires_at: T.Optional(
      dateTime('When the request expires: from 1 second to 30 days ahead. By default in 7 days.'),
    ),
  },
  output: { data: Approval },
  tagged: 'r',
  status: 201,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'limit_reached'],
  emits: ['approval.requested', 'approval.approved'],
})

export const listApprovals = query('list_approvals', {
  ...approvalTag,
  scope: 'approvals:read',
  http: 'GET /v1/approvals',
  summary: 'List the approvals that you can see.',
  description:
    'The list is sorted by ID, and has the approvals of the Rooms that you can open. With a filter, a page may have fewer items than limit, or none; continue while has_more is true.',
  input: {
    room_id: T.Optional(RoomId),
    status: T.Optional(oneOf(approvalStatuses, 'Only approvals with this status.')),
    asked_of: T.Optional(oneOf(['me'], 'Only approvals that you are asked for.')),
    cursor: T.Optional(idCursor('apr')),
    limit: T.Optional(pageLimit),
  },
  output: listOf(Approval),
  problems: ['not_found'],
})

export const getApproval = query('get_approval', {
  ...approvalTag,
  scope: 'approvals:read',
  http: 'GET /v1/approvals/{approval_id}',
  summary: 'Retrieve an approval.',
  input: { approval_id: ApprovalId },
  output: { data: Approval },
  problems: ['not_found'],
  tagged: 'r',
})

export const approveApproval = mutation('approve_approval', {
  ...deciding,
  http: 'POST /v1/approvals/{approval_id}/approve',
  summary: 'Approve a requested action.',
  description:
    'For the person who shares the connection, and for those with full access to the Room; also for their own requests. Send the hash of the arguments that you read: with another one nothing happens. The action is then run once, with exactly these arguments. While the connection is paused or its app refuses it, the action waits until it is live again, and still expires on time. Nothing is run for a requester or an approver who has lost what this requires: such a request can only be declined or canceled, and one that was approved before is canceled.',
  input: {
    approval_id: ApprovalId,
    expected_revision: revision(),
    arguments_sha256: T.Unsafe<string>({
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      description: 'The arguments_sha256 of the approval.',
      examples: ['44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
    }),
    note: T.Optional(Note('What you have to say about it.')),
  },
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict', 'unprocessable_content'],
  emits: ['approval.approved'],
})

export const declineApproval = mutation('decline_approval', {
  ...deciding,
  http: 'POST /v1/approvals/{approval_id}/decline',
  summary: 'Decline a requested action.',
  description: 'For the person who shares the connection, and for those with full access to the Room.',
  input: {
    approval_id: ApprovalId,
    expected_revision: revision(),
    note: T.Optional(Note('Why you decline.')),
  },
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['approval.declined'],
})

export const cancelApproval = mutation('cancel_approval', {
  ...deciding,
  scope: 'connections:use',
  http: 'POST /v1/approvals/{approval_id}/cancel',
  summary: 'Cancel a request that is pending.',
  description:
    'For the requester, and for those with full access to the Room. An API key cancels what it has requested itself, and nothing else.',
  input: {
    approval_id: ApprovalId,
    expected_revision: revision(),
    note: T.Optional(Note('Why it is canceled.')),
  },
  problems: ['forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['approval.canceled'],
})
