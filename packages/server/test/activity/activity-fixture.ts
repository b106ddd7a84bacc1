import { randomUUID } from 'node:crypto'
import { newId, type Id } from '@wbs/contract/ids'
import type { EventDeclaration } from '@wbs/contract/event-declaration'
import { eventTypes, type EventType } from '@wbs/contract/events'
import { isRequired } from '@wbs/contract/operation'
import type { AccessLevel } from '@wbs/contract/scopes'
import type { Client } from '@wbs/sdk'
import type { TSchema } from 'typebox'
import { createFeedCursors } from '../../src/activity/feed/feed-cursors.ts'
import {
  startTestService,
  testSecret,
  type Person,
  type TestService,
  type TestServiceOptions,
} from '../harness/service.ts'

/** Olivia's Workspace with the members Mia and Viktor and the outsiders Gus and Greta, and another Workspace of Sam's. */
export interface Activity {
  service: TestService
  olivia: Person
  mia: Person
  viktor: Person
  gus: Person
  greta: Person
  sam: Person
  workspace_id: string
  sams: string
  /** Olivia's client. */
  us: Client
  /** A client that acts for somebody in Olivia's Workspace. */
  as(person: Person): Client
  /** Creates a Room as a person, and returns its id. */
  room(by?: Person, rest?: { business_id?: string; parent_room_id?: string }): Promise<string>
  /** Adds a participant to a Room directly in the database, and returns the participant id. */
  invite(room_id: string, person: Person, access_level?: AccessLevel): Promise<string>
  /** Ends the participation again. */
  expel(room_id: string, person: Person): Promise<void>
  /** Inserts an event directly in the database, with a position under the lock as the service does, and returns its id. */
  append(event: Appended): Promise<Id<'evt'>>
  /** The cursor of a position in the feed, by default of Olivia's Workspace; and the reverse. */
  cursorAt(position: number, workspace_id?: string): string
  positionOf(cursor: string | null): string
  close(): Promise<void>
}

export interface Appended {
  room_id?: string | null
  type?: EventType
  feed?: 'activity' | 'audit'
  actor?: { user_id: string; name?: string | null } | null
  about?: { user_id: string }
  subject?: { type: string; id: string }
  occurred_at?: string
}

export async function startActivity(options: TestServiceOptions = {}): Promise<Activity> {
  const service = await startTestService(options)
  const [olivia, mia, viktor, gus, greta, sam] = ['Olivia', 'Mia', 'Viktor', 'Gus', 'Greta', 'Sam'].map(
    name => service.person(name),
  ) as [Person, Person, Person, Person, Person, Person]
  const workspace_id = await service.workspace('Harbor', olivia, { member: mia, viewer: viktor })
  const sams = await service.workspace('Elsewhere', sam)
  const cursorsOf = createFeedCursors(testSecret)
  const as = (person: Person) => service.client({ access_token: person.token, workspace_id, attempts: 1 })
  // The service stores a person at their first change, and these have made none yet.
  for (const person of [gus, greta])
    await service.sql('insert into users (id, issuer, subject, name) values ($1, $2, $3, $4)', [
      person.user_id,
      service.issuer.issuer,
      person.subject,
      person.name,
    ])
  return {
    service,
    olivia,
    mia,
    viktor,
    gus,
    greta,
    sam,
    workspace_id,
    sams,
    us: as(olivia),
    as,
    async room(by = olivia, rest = {}) {
      return (await as(by).createRoom({ title: 'A Room', ...rest })).room.room_id
    },
    async invite(room_id, person, access_level = 'view') {
      const id = randomUUID()
      await service.sql(
        `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
         values ($1, $2, $3, $4, not exists (select from memberships m where m.workspace_id = $1 and m.user_id = $4 and m.status = 'active'), $5, 'active', now(), now())`,
        [workspace_id, room_id, id, person.user_id, access_level],
      )
      return id
    },
    async expel(room_id, person) {
      await service.sql(
        `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2 and status = 'active'`,
        [room_id, person.user_id],
      )
    },
    async append(event) {
      const id = newId('evt')
      const actor = event.actor === undefined ? olivia : event.actor
      await service.sql(
        `with counter as (
           update feed_positions set last_position = last_position + 1 where workspace_id = $1 returning last_position
         )
         insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, about, room_id, data, command_id, ordinal)
         select $1, last_position, $2, $3, $4, $5, $6, $7, $8, $9, $10, gen_random_uuid(), 0 from counter`,
        [
          workspace_id,
          id,
          event.type ?? 'room.updated',
          event.feed ?? 'activity',
          event.occurred_at ?? new Date().toISOString(),
          actor
            ? { type: 'person', user_id: actor.user_id, name: actor.name ?? null, via: null }
            : { type: 'system', user_id: null, name: null, via: null },
          { name: null, ...(event.subject ?? { type: 'room', id: event.room_id }) },
          event.about ? { user_id: event.about.user_id, email: null, name: null } : null,
          event.room_id ?? null,
          factsOf(event.type ?? 'room.updated'),
        ],
      )
      return id
    },
    cursorAt: (position, of = workspace_id) => cursorsOf(of).textOf(String(position)) ?? '',
    positionOf: cursor => cursorsOf(workspace_id).positionOf(cursor ?? '') ?? '',
    close: () => service.close(),
  }
}

/** Facts as an event of the type has them. */
function factsOf(type: string): Record<string, unknown> {
  const { data = {} } = (eventTypes as Record<string, EventDeclaration>)[type] ?? {}
  const required = Object.entries<Fact>(data).filter(([, schema]) => isRequired(schema))
  return Object.fromEntries(required.map(([name, schema]) => [name, factOf(schema)]))
}

interface Fact extends TSchema {
  type?: string | string[]
  format?: string
  properties?: Record<string, Fact>
}

function factOf({ type, format, properties = {} }: Fact): unknown {
  if (Array.isArray(type)) return null
  if (type === 'string') return format === 'uuid' ? randomUUID() : 'text'
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, factOf(schema)]))
  return type === 'array' ? [] : type === 'boolean'
}
