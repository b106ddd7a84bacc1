import type { NounNames } from './names-of-noun.ts'

/** The declarations: a schema, its events and three operations. */
export const contractText = ({
  slice,
  plural,
  table,
  snake,
  camel,
  pascal,
  pascalPlural,
  words,
  wordsPlural,
}: NounNames) =>
  `import { T } from '../json/type.ts'
import { activity } from '../event-declaration.ts'
import { mutation, query } from '../operation.ts'
import { listOf, pageLimit } from '../paging.ts'
import { roomReceipt } from '../receipts.ts'
import { component, dateTime, open, revision, trimmedText, uuid, uuidCursor } from '../schema.ts'
import { RoomId } from '${slice === 'rooms' ? './rooms.ts' : '../rooms/rooms.ts'}'

export const ${pascal} = component(
  '${pascal}',
  open({
    ${snake}_id: uuid(),
    room_id: RoomId,
    title: T.String(),
    created_by: uuid('The user who created it.'),
    revision: T.Integer({ minimum: 1 }),
    created_at: dateTime(),
    updated_at: dateTime(),
  }),
)

const common = { tag: 'Rooms', audience: 'workspace', guests: true } as const

const changing = {
  ...common,
  scope: 'rooms:write',
  receipt: roomReceipt,
  output: { ${snake}: ${pascal} },
} as const

const title = trimmedText({ minLength: 1, maxLength: 200, description: 'Its title.', example: 'A ${words}' })

/** The types of its events, and the feed that shows each. */
export const ${camel}Events = {
  '${snake}.created': activity(),
  '${snake}.updated': activity(),
} as const

export const list${pascalPlural} = query('list_${table}', {
  ...common,
  scope: 'rooms:read',
  http: 'GET /v1/rooms/{room_id}/${plural}',
  summary: 'List the ${wordsPlural} of a Room, oldest first.',
  input: { room_id: RoomId, cursor: T.Optional(uuidCursor()), limit: T.Optional(pageLimit) },
  output: listOf(${pascal}),
  problems: ['not_found'],
})

export const create${pascal} = mutation('create_${snake}', {
  ...changing,
  http: 'POST /v1/rooms/{room_id}/${plural}',
  summary: 'Create a ${words} in a Room.',
  description: 'Requires edit access to the Room.',
  input: { room_id: RoomId, title },
  status: 201,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict'],
  emits: ['${snake}.created'],
})

export const update${pascal} = mutation('update_${snake}', {
  ...changing,
  http: 'PATCH /v1/rooms/{room_id}/${plural}/{${snake}_id}',
  summary: 'Update a ${words} of a Room.',
  description: 'Requires edit access to the Room.',
  input: {
    room_id: RoomId,
    ${snake}_id: uuid('The ID of the ${words}.'),
    expected_revision: revision(),
    title,
  },
  status: 200,
  problems: ['validation_error', 'forbidden', 'not_found', 'state_conflict', 'revision_conflict'],
  emits: ['${snake}.updated'],
})
`

export const migrationText = (
  { table, words }: NounNames,
  before: string,
) => `-- Runs with versions from ${before} on.

-- Each ${words} stands in a Room.
create table ${table} (
  workspace_id uuid not null,
  id uuid not null,
  room_id text not null,
  title text not null,
  created_by uuid not null references users (id),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, room_id) references rooms (workspace_id, id)
);
create index ${table}_of_room on ${table} (workspace_id, room_id, id);
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy within_workspace on ${table} using (workspace_id = current_workspace());
create policy owner_reads_all on ${table} for select to svc_owner using (true);
grant select on ${table} to svc_reader, svc_writer;
grant insert, update on ${table} to svc_writer;
`

export const samplesText = ({
  wordsPlural,
  table,
  snake,
  pascal,
  camel,
  keyed,
}: NounNames) => `import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { freshRoom } from '../../rooms/fresh-room.ts'

async function fresh${pascal}(world: World) {
  const room_id = await freshRoom(world)
  const { ${keyed} } = await world.us.create${pascal}({ room_id, title: 'The first' })
  return { room_id, ${snake}_id: ${camel}.${snake}_id }
}

/** Only a list shows ${wordsPlural}, so no answer is read back. */
export const samples = {
  list_${table}: {
    input: async world => {
      const { room_id } = await fresh${pascal}(world)
      return { room_id }
    },
  },
  create_${snake}: {
    input: async world => ({ room_id: await freshRoom(world), title: 'The first' }),
    readBack: false,
  },
  update_${snake}: {
    input: async world => ({ ...(await fresh${pascal}(world)), expected_revision: 1, title: 'The second' }),
    readBack: false,
    roundTrips: 2,
  },
} satisfies Samples
`

export const testText = ({
  snake,
  camel,
  pascal,
  pascalPlural,
  wordsPlural,
  words,
  keyed,
}: NounNames) => `import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'

describe('the ${wordsPlural} of a Room', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())
  const member = () => world.as(world.people.member)

  it('are created, listed oldest first and updated', async () => {
    const room_id = await world.room()
    const { ${snake}: first } = await member().create${pascal}({ room_id, title: 'First' })
    const { ${snake}: second } = await member().create${pascal}({ room_id, title: 'Second' })
    const { ${snake}: updated } = await member().update${pascal}({
      room_id,
      ${snake}_id: first.${snake}_id,
      expected_revision: 1,
      title: 'Now first',
    })
    assert.deepEqual([updated.title, updated.revision], ['Now first', 2])
    const { data, page } = await member().list${pascalPlural}({ room_id, limit: 1 })
    assert.deepEqual([data, page.has_more], [[updated], true])
    const rest = await member().list${pascalPlural}({ room_id, cursor: String(page.cursor) })
    assert.deepEqual(rest.data, [second])
    assert.deepEqual(await world.eventsOf(room_id), [
      'room.created',
      '${snake}.created',
      '${snake}.created',
      '${snake}.updated',
    ])
  })

  it('are not changed by who may only view, nor with a stale revision, nor in an archived Room', async () => {
    const room_id = await world.room()
    const { ${keyed} } = await member().create${pascal}({ room_id, title: 'First' })
    const { ${snake}_id } = ${camel}
    await world.invite(room_id, world.people.guest, 'view')
    const change = { room_id, ${snake}_id, expected_revision: 1, title: 'Changed' }
    await refused(world.as(world.people.guest).update${pascal}(change), 'forbidden')
    await refused(world.as(world.people.admin).update${pascal}(change), 'not_found')
    await refused(member().update${pascal}({ ...change, expected_revision: 2 }), 'revision_conflict')
    await member().archiveRoom({ room_id, expected_revision: 1 })
    await refused(member().update${pascal}(change), 'state_conflict')
    const { data } = await member().list${pascalPlural}({ room_id })
    assert.deepEqual(data, [${camel}])
  })

  it('are found only in their Room', async () => {
    const { ${keyed} } = await member().create${pascal}({ room_id: await world.room(), title: 'A ${words}' })
    const change = { ${snake}_id: ${camel}.${snake}_id, expected_revision: 1, title: 'Changed' }
    await refused(member().update${pascal}({ ...change, room_id: await world.room() }), 'not_found')
  })
})
`
