import { T } from './json/type.ts'
import { eventTypes, reservedEventTypes, type ActivityType, type EventType } from './events.ts'
import { query } from './operation.ts'
import { pageLimit } from './paging.ts'
import { ActorRecord } from './receipts.ts'
import { component, dateTime, id, nullable, oneOf, open, openSet, queryList, uuid } from './schema.ts'

const isActivity = (type: EventType): type is ActivityType => eventTypes[type].feed !== 'audit'
const activityTypes = (Object.keys(eventTypes) as EventType[]).filter(isActivity)
const filterTypes = [...activityTypes, ...reservedEventTypes]
/** The filters that match every type of one noun, such as `room.*`. */
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
  room: component(
    'EventRoom',
    open({ id: id('rom'), title: T.String({ description: 'The current title.' }) }),
  ),
  actor: ActorRecord,
  subject: component(
    'EventSubject',
    open({ type: openSet(subjects), id: T.String(), name: nullable(T.String()) }),
  ),
  about: nullable(
    open({
      user_id: nullable(uuid('Null before the person has accepted an invitation.')),
      email: nullable(T.String()),
      name: nullable(T.String()),
    }),
  ),
  data: T.Record(T.String(), T.Unknown(), { description: 'Further facts, which depend on the type.' }),
  mine: T.Boolean({ description: 'Whether you are the actor.' }),
}
const Event = component('Event', open(eventFields))

const position = (description: string) =>
  T.Unsafe<string>({
    type: 'string',
    pattern: '^[1-9][0-9]{0,17}$',
    description: `${description} A string of 1 to 18 digits without a leading zero. It is opaque: it is neither a count nor an order.`,
  })

const Types = queryList(T.Unsafe<string>({ type: 'string', enum: [...filterTypes, ...kinds] }), {
  repeatable: true,
  maxItems: 20,
  description:
    'The types of events, such as room.updated, or all types of a resource, such as room.*. Types of resources that do not exist yet are accepted and match nothing.',
})

const common = { tag: 'Activity', audience: 'workspace', guests: true, scope: 'events:read' } as const

export const listEvents = query('list_events', {
  ...common,
  http: 'GET /v1/events',
  summary:
    'List the events of one Room, of the Rooms related to one Business, or of all Rooms that you can open.',
  description:
    'The newest event comes first. All filters must match. Do not change them while you follow next_cursor. Continue while has_more is true, even after an empty page.',
  input: {
    room_id: T.Optional(id('rom')),
    business_id: T.Optional(id('biz')),
    actor: T.Optional(
      T.Unsafe<string>({
        type: 'string',
        pattern: '^(?:me|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$',
        description:
          'The actor: me, or the ID of a user (a UUID). With an API key, me is the owner of the key.',
        examples: ['me'],
      }),
    ),
    about: T.Optional(
      oneOf(
        ['me'],
        'Only events about you: tasks assigned to you, approvals requested from you, and reads of connections that you share.',
      ),
    ),
    types: T.Optional(Types),
    since: T.Optional(
      T.Unsafe<string>({
        ...dateTime('Only events at or after this time. RFC 3339, with an offset from UTC.'),
        maxLength: 40,
        examples: ['2026-01-31T12:00:00Z'],
      }),
    ),
    after: T.Optional(position('The next_cursor of the previous page. The next page has older events.')),
    limit: T.Optional(pageLimit),
  },
  rules: [{ rule: 'exclusive', fields: ['room_id', 'business_id'] }],
  output: { data: T.Array(Event), next_cursor: nullable(T.String()), has_more: T.Boolean() },
  problems: ['validation_error', 'not_found'],
})

export const getEvent = query('get_event', {
  ...common,
  http: 'GET /v1/events/{event_id}',
  summary: 'Retrieve an event of a Room that you can open.',
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
  summary: 'List new events, oldest first, to keep a copy up to date.',
  description:
    'Events come in the order in which they were committed: if you continue from each cursor, you get every event exactly once. Without a cursor, the list starts at the first event. Continue while has_more is true, even after an empty page. The cursor depends only on events that you can see, and reveals nothing about others.',
  input: {
    ...changes,
    cursor: T.Optional(position('The cursor of the previous page.')),
    limit: T.Optional(pageLimit),
    wait_seconds: T.Optional(
      T.Integer({
        minimum: 0,
        maximum: 30,
        default: 0,
        description: 'How many seconds to wait for a new event if there is none.',
      }),
    ),
  },
  output: {
    data: T.Array(Event),
    cursor: T.String({
      description: 'Pass it as cursor to continue, also if there was no event that you can see.',
    }),
    has_more: T.Boolean(),
  },
  problems: ['validation_error', 'not_found'],
  waits: 'answer',
})

export const streamEvents = query('stream_events', {
  ...common,
  http: 'GET /v1/events/stream',
  summary: 'Stream events as they happen.',
  description:
    'The stream continues after Last-Event-ID or cursor; without either, it starts with the next event. It sends a comment every 15 seconds. The service closes it when you lose access to the Room or the Workspace, or when your credential expires or is revoked.',
  input: {
    ...changes,
    cursor: T.Optional(position('The cursor of a page of changes, or the id field of an event of a stream.')),
  },
  output: eventFields,
  problems: ['validation_error', 'not_found'],
  waits: 'stream',
})
