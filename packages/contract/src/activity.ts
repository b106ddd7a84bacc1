import { Type as T } from 'typebox'
import { eventTypes, typesToCome, type EventType } from './events.ts'
import { query } from './operation.ts'
import { pageLimit } from './paging.ts'
import { ActorRecord } from './receipts.ts'
import { component, dateTime, id, nullable, oneOf, open, openSet, queryList, uuid } from './schema.ts'

const activityTypes = (Object.keys(eventTypes) as EventType[]).filter(type => eventTypes[type] === 'activity')
const filterTypes = [...activityTypes, ...typesToCome]
/** What stands before the dot of a type, with a star after it: `room.*` is every type that begins so. */
const kinds = [...new Set(filterTypes.map(type => `${type.slice(0, type.indexOf('.'))}.*`))]

const subjects = [
  'room',
  'room_file',
  'file',
  'business',
  'list',
  'participant',
  'connection',
  'approval',
  'task',
  'goal',
  'valuation',
] as const

export type SubjectType = (typeof subjects)[number]

const eventFields = {
  id: id('evt'),
  type: openSet(activityTypes),
  occurred_at: dateTime(),
  room: open({ id: id('rom'), title: T.String({ description: 'As it is now.' }) }),
  actor: ActorRecord,
  subject: open({
    type: openSet(subjects),
    id: T.String(),
    name: nullable(T.String()),
  }),
  about: nullable(
    open({
      user_id: nullable(uuid('Null for who was invited and has not answered.')),
      email: nullable(T.String()),
      name: nullable(T.String()),
    }),
  ),
  data: T.Record(T.String(), T.Unknown(), { description: 'What else there is to say, by type.' }),
  mine: T.Boolean({ description: 'Whether the caller did it.' }),
}
const Event = component('Event', open(eventFields))

const position = (description: string) =>
  T.Unsafe<string>({
    type: 'string',
    pattern: '^[1-9][0-9]{0,17}$',
    description: `${description} A decimal number of 1 to 18 digits without a leading zero, as text; it neither counts nor orders anything.`,
  })

const Types = queryList(T.Unsafe<string>({ type: 'string', enum: [...filterTypes, ...kinds] }), {
  repeatable: true,
  maxItems: 20,
  description:
    'Types such as file.version_added, or kinds such as file.*; comma-separated or repeated. Types of resources to come are taken, and find nothing yet.',
})

const common = { tag: 'Activity', audience: 'workspace', guests: true, scope: 'events:read' } as const

export const listEvents = query('list_events', {
  ...common,
  http: 'GET /v1/events',
  summary: 'List what happened in one Room, around one Business, or in all Rooms that the caller can open.',
  description:
    'Newest first. Filters combine with AND. Keep them unchanged when following next_cursor, including after an empty page with has_more true.',
  input: {
    room_id: T.Optional(id('rom')),
    business_id: T.Optional(id('biz')),
    actor: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: '^(?:me|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$',
        description: 'Who did it: me, or the id of a user (a UUID). With an API key, me is its owner.',
        examples: ['me'],
      }),
    ),
    about: T.Optional(
      oneOf(
        ['me'],
        'Tasks given to the caller, approvals asked of the caller, and reads of what the caller shares.',
      ),
    ),
    types: T.Optional(Types),
    since: T.Optional(
      T.Unsafe<string>({
        ...dateTime('From this moment on, itself included: RFC 3339, with its offset.'),
        maxLength: 40,
        examples: ['2026-01-31T12:00:00Z'],
      }),
    ),
    after: T.Optional(position('next_cursor of the page before: leads to older events.')),
    limit: T.Optional(pageLimit),
  },
  rules: [{ rule: 'exclusive', fields: ['room_id', 'business_id'] }],
  output: { data: T.Array(Event), next_cursor: nullable(T.String()), has_more: T.Boolean() },
  problems: ['validation_error', 'not_found'],
})

export const getEvent = query('get_event', {
  ...common,
  http: 'GET /v1/events/{event_id}',
  summary: 'Read one event of a Room that the caller can open.',
  input: { event_id: id('evt') },
  output: { data: Event },
  problems: ['not_found'],
})

const changes = {
  room_id: T.Optional(id('rom')),
  types: T.Optional(Types),
}

export const listEventChanges = query('list_event_changes', {
  ...common,
  http: 'GET /v1/events/changes',
  summary: 'Read what has happened since, oldest first: the feed to keep a copy by.',
  description:
    'In the order in which it was committed: who goes on from each cursor misses nothing and sees nothing twice. Without a cursor it starts at the beginning. An empty page is not the end while has_more is true. The cursor changes with what the caller may see, and with nothing else.',
  input: {
    ...changes,
    cursor: T.Optional(position('The cursor of the page before.')),
    limit: T.Optional(pageLimit),
    wait_seconds: T.Optional(
      T.Integer({
        minimum: 0,
        maximum: 30,
        default: 0,
        description: 'How long to wait for something to happen, where nothing has.',
      }),
    ),
  },
  output: {
    data: T.Array(Event),
    cursor: nullable(
      T.String({ description: 'Where to go on. Null only where there was nothing that the caller may see.' }),
    ),
    has_more: T.Boolean(),
  },
  problems: ['validation_error', 'not_found'],
  waits: 'answer',
})

export const streamEvents = query('stream_events', {
  ...common,
  http: 'GET /v1/events/stream',
  summary: 'Be told of what happens, as it happens.',
  description:
    'Goes on from Last-Event-ID or cursor; without either it tells what happens from now on. A comment comes every 15 seconds. The stream is closed when the caller cannot open the Room any more, or has no standing in the Workspace, or the credential ends.',
  input: {
    ...changes,
    cursor: T.Optional(position('The cursor of a page of changes, or the id of an event of a stream.')),
  },
  output: eventFields,
  problems: ['validation_error', 'not_found'],
  waits: 'stream',
})
