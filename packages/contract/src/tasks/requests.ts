import { T } from '../json/type.ts'
import { mutation, query } from '../operation.ts'
import { roomChangeReceipt } from '../receipts.ts'
import { RoomId } from '../rooms/rooms.ts'
import { closed, dateTime, id, nullable, oneOf, open, openSet, trimmedText, uuid } from '../schema.ts'
import { Assignee, taskKinds, TaskId, taskWriting, taskQuery, taskStatuses } from './task-schema.ts'

/** The request lists that the service has. */
export const requestTemplates = ['small_business_purchase', 'sba_7a_loan', 'quality_of_earnings'] as const

export type RequestTemplate = (typeof requestTemplates)[number]

/** The columns of a CSV file of requests. */
export const requestColumns = [
  'title',
  'description',
  'section',
  'kind',
  'priority',
  'due_at',
  'assignee_email',
] as const

export type RequestColumn = (typeof requestColumns)[number]

const column = (name: RequestColumn) =>
  trimmedText({
    minLength: 1,
    maxLength: 200,
    description: `The header of the column with the ${name}.`,
    example: name,
  })

/** Which column of the file has what. A column that is not named here has the name of its field. */
const Mapping = T.Unsafe<Partial<Record<RequestColumn, string>>>({
  ...closed(Object.fromEntries(requestColumns.map(name => [name, T.Optional(column(name))]))),
  description:
    'The headers of the columns in the file, where they differ from title, description, section, kind, priority, due_at and assignee_email.',
})

export const createRoomRequests = mutation('create_room_requests', {
  ...taskWriting,
  receipt: roomChangeReceipt,
  http: 'POST /v1/rooms/{room_id}/requests',
  summary: 'Create the Tasks of a diligence request list in a Room.',
  description:
    'Send template for one of the lists that the service has, or file_id for a CSV file in the Room, of at most 1 MiB and 500 rows with a header. Requires edit access to the Room, and files:read for a file. All rows become Tasks, or none: each row that is not valid is an error. A row without a kind is an evidence_request; due_at is a date and time, or a day, of which the end in UTC counts; assignee_email is the address of a user who can open the Room. Rows are counted as a spreadsheet shows them, and the header is row 1. Each assignee gets one mail for the whole list.',
  input: {
    room_id: RoomId,
    template: T.Optional(
      T.Unsafe<RequestTemplate>({
        ...oneOf(requestTemplates, 'A list that the service has.'),
        examples: ['small_business_purchase'],
      }),
    ),
    file_id: T.Optional(id('fil')),
    mapping: T.Optional(Mapping),
    assignee_user_id: T.Optional(nullable(Assignee)),
    due_at: T.Optional(nullable(dateTime('By when the requests should be met, where a row has no date.'))),
  },
  rules: [
    { rule: 'exclusive', fields: ['template', 'file_id'] },
    { rule: 'some', fields: ['template', 'file_id'] },
    { rule: 'requires', field: 'mapping', needs: 'file_id' },
  ],
  output: {
    data: open({
      created: T.Integer({ description: 'How many Tasks were created.' }),
      by_kind: T.Record(T.String(), T.Integer(), { description: 'How many Tasks there are of each kind.' }),
      task_ids: T.Array(TaskId, { description: 'The Tasks, in the order of the list.' }),
    }),
  },
  status: 201,
  problems: [
    'validation_error',
    'forbidden',
    'not_found',
    'state_conflict',
    'unprocessable_content',
    'unavailable',
  ],
  emits: ['task.created'],
})

const counts = (keys: readonly string[], what: string) =>
  open(Object.fromEntries(keys.map(key => [key, T.Integer({ description: `How many Tasks ${what}.` })])))

export const getRequestProgress = query('get_request_progress', {
  ...taskQuery,
  http: 'GET /v1/rooms/{room_id}/requests/progress',
  summary: 'Show how far the Tasks of a Room are.',
  description: 'It counts the Tasks of the Room that you can see.',
  input: { room_id: RoomId },
  output: {
    data: open({
      total: T.Integer(),
      overdue: T.Integer({ description: 'How many are unfinished although their due_at has passed.' }),
      by_status: counts(taskStatuses, 'have the status'),
      by_kind: counts(taskKinds, 'are of the kind'),
      by_section: T.Array(
        open({ section: nullable(T.String()), total: T.Integer(), finished: T.Integer() }),
        {
          description:
            'In the order of the sections; at most 200, and the last one is that without a section.',
        },
      ),
      by_assignee: T.Array(
        open({
          assignee_user_id: nullable(uuid()),
          name: nullable(T.String()),
          total: T.Integer(),
          finished: T.Integer({ description: 'How many are done or canceled.' }),
        }),
        { description: 'Those with most Tasks first; at most 200.' },
      ),
      as_of: dateTime(),
    }),
  },
  problems: ['not_found'],
})

export const listRequestTemplates = query('list_request_templates', {
  ...taskQuery,
  http: 'GET /v1/request-templates',
  summary: 'List the diligence request lists that the service has.',
  input: {},
  output: {
    data: T.Array(
      open({
        template: openSet(requestTemplates),
        title: T.String(),
        description: T.String(),
        sources: T.Array(open({ title: T.String(), url: T.String() })),
        requests: T.Array(
          open({
            section: T.String(),
            title: T.String(),
            description: nullable(T.String()),
            kind: openSet(taskKinds),
          }),
        ),
      }),
    ),
  },
  problems: [],
})
