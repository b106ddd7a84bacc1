import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Client } from '@wbs/sdk'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])

const name = 'Targets that nobody else may know'

async function newList(of: Client = client('member')) {
  const definition = {
    schema_version: 'svc.list.v1',
    subject_type: 'business',
    rule: { kind: 'all' },
  } as const
  return (await of.createList({ name, definition })).data.id
}

const list = (resource_id: string) => ({ resource_type: 'list', resource_id }) as const

/** A Room of the member's with a List attached. */
async function roomWithList() {
  const [room_id, list_id] = [await world.room(), await newList()]
  const { room } = await client('member').attachRoomResource({ room_id, ...list(list_id) })
  return { room_id, list_id, room, attachment_id: String(room.attachments[0]?.attachment_id) }
}

/** A member of the Workspace whose permission to read Lists was taken away. */
async function memberWithoutLists() {
  const person = world.service.person('Max')
  const membership_id = await world.service.join(world.workspace_id, person, 'member')
  await world.service.sql(`update memberships set permissions = '{"lists:read": false}' where id = $1`, [
    membership_id,
  ])
  return person
}

const labelsOf = (room: { attachments: readonly { id: string; label: string | null }[] }) =>
  room.attachments.map(({ id, label }) => [id, label])

/** The first label of a Room, read by its id and in the list of Rooms. */
async function labelFor(reader: Client, room_id: string) {
  const { room } = await reader.getRoom({ room_id })
  const { data } = await reader.listRooms({ limit: 100 })
  assert.deepEqual(
    data.find(one => one.room_id === room_id),
    room,
  )
  return room.attachments[0]?.label
}

const subjectsOf = async (room_id: string) =>
  (
    await world.service.sql(
      `select type, subject from events where room_id = $1 and type like 'attachment.%' order by position`,
      [room_id],
    )
  ).map(({ type, subject }) => [type, subject])

describe('attaching a List to a Room', () => {
  it('attaches it once, however often it is sent', async () => {
    const { room_id, list_id, room } = await roomWithList()
    assert.deepEqual(
      room.attachments.map(({ type, id, label }) => ({ type, id, label })),
      [{ type: 'list', id: list_id, label: name }],
    )
    assert.deepEqual((await client('member').getRoom({ room_id })).room, room)
    const again = await client('member').attachRoomResource({ room_id, ...list(list_id) })
    assert.deepEqual(again.room, room)
    assert.deepEqual(again.action_receipt.changed, [])
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'attachment.added'])
  })

  it('does not change the List', async () => {
    const list_id = await newList()
    const { data: before } = await client('member').getList({ list_id })
    await client('member').attachRoomResource({ room_id: await world.room(), ...list(list_id) })
    assert.deepEqual((await client('member').getList({ list_id })).data, before)
  })

  it('accepts an archived and a restricted List', async () => {
    const room_id = await world.room()
    for (const status of ['archived', 'restricted']) {
      const list_id = await newList()
      if (status === 'archived') await client('member').archiveList({ list_id, expected_version: 1 })
      else await world.service.sql(`update lists set lifecycle_status = $2 where id = $1`, [list_id, status])
      const { room } = await client('member').attachRoomResource({ room_id, ...list(list_id) })
      assert.equal(room.attachments.find(({ id }) => id === list_id)?.label, name, status)
    }
  })

  it('answers 404 for a List that does not exist, is of another Workspace, or has the id of a Business', async () => {
    const room_id = await world.room()
    const { data } = await world.people.rival.client.listWorkspaces({})
    const foreign = await newList(
      world.service.client({
        access_token: world.people.rival.token,
        workspace_id: String(data[0]?.id),
      }),
    )
    for (const id of [foreign, newId('list'), newId('biz')])
      await refused(client('member').attachRoomResource({ room_id, ...list(id) }), 'not_found')
    const resource_id = await newList()
    await refused(
      client('member').attachRoomResource({ room_id, resource_type: 'business', resource_id }),
      'not_found',
    )
    await refused(
      client('member').attachRoomResource({ room_id, resource_type: 'room' as 'list', resource_id }),
      'validation_error',
    )
  })

  it('answers 404 to guests, members and API keys that may not read Lists, whatever their level', async () => {
    const [room_id, list_id] = [await world.room(), await newList()]
    const max = await memberWithoutLists()
    for (const person of [world.people.guest, max]) await world.invite(room_id, person, 'full_access')
    for (const id of [list_id, newId('list')])
      for (const person of [world.people.guest, max])
        await refused(world.as(person).attachRoomResource({ room_id, ...list(id) }), 'not_found')
    const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, [
      'rooms:read',
      'rooms:write',
    ])
    const key = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    await refused(key.attachRoomResource({ room_id, ...list(list_id) }), 'not_found')
    assert.deepEqual(await world.eventsOf(room_id), ['room.created'])
  })

  it('requires edit access to the Room', async () => {
    const [room_id, list_id] = [await world.room(), await newList()]
    await world.invite(room_id, world.people.owner, 'view')
    await refused(client('owner').attachRoomResource({ room_id, ...list(list_id) }), 'forbidden')
  })

  it('counts Businesses and Lists together: the 51st is refused', async () => {
    const room_id = await world.room()
    for (let i = 0; i < 25; i++) {
      const resource_id = await addBusiness(world.service, { name: `Business ${i}` })
      await client('member').attachRoomResource({ room_id, resource_type: 'business', resource_id })
      await client('member').attachRoomResource({ room_id, ...list(await newList()) })
    }
    const last = await newList()
    await refused(client('member').attachRoomResource({ room_id, ...list(last) }), 'limit_reached')
    assert.equal((await client('member').getRoom({ room_id })).room.attachments.length, 50)
  })
})

describe('the name of an attached List', () => {
  it('is shown to those alone who may read Lists', async () => {
    const { room_id, list_id } = await roomWithList()
    const max = await memberWithoutLists()
    for (const person of [world.people.guest, world.people.viewer, max])
      await world.invite(room_id, person, 'full_access')
    const keyWith = async (lists: readonly 'lists:read'[]) => {
      const { secret } = await world.service.apiKey(world.workspace_id, world.people.member, [
        'rooms:read',
        ...lists,
      ])
      return world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    }
    const readers: [string, Client, string | null][] = [
      ['viewer', client('viewer'), name],
      ['guest', client('guest'), null],
      ['member without lists:read', world.as(max), null],
      ['key with lists:read', await keyWith(['lists:read']), name],
      ['key without lists:read', await keyWith([]), null],
    ]
    for (const [who, reader, expected] of readers)
      assert.equal(await labelFor(reader, room_id), expected, who)
    const { room } = await client('guest').updateRoom({ room_id, expected_revision: 2, title: 'Renamed' })
    assert.deepEqual(labelsOf(room), [[list_id, null]])
  })

  it('is the present one', async () => {
    const { room_id, list_id } = await roomWithList()
    await client('member').updateList({ list_id, expected_version: 1, name: 'Renamed' })
    assert.equal(await labelFor(client('member'), room_id), 'Renamed')
  })

  it('is in the answer to accepting an invitation as it is read afterwards', async () => {
    const { room_id } = await roomWithList()
    const max = await memberWithoutLists()
    for (const [person, expected] of [
      [world.people.viewer, name],
      [max, null],
    ] as const) {
      const { token } = await world.mailed(room_id, person.email)
      const { room } = await person.client.acceptInvitation({ token })
      assert.equal(room?.attachments[0]?.label, expected)
      assert.deepEqual(room, (await world.as(person).getRoom({ room_id })).room)
    }
    const { email, token } = await world.mailed(room_id)
    const { room } = await world.holder(email).client.acceptInvitation({ token })
    assert.equal(room?.attachments[0]?.label, null)
  })

  it('is in no event, neither stored nor shown', async () => {
    const { room_id, list_id, attachment_id } = await roomWithList()
    await client('member').detachRoomResource({ room_id, attachment_id })
    const subject = { type: 'list', id: list_id, name: null }
    assert.deepEqual(await subjectsOf(room_id), [
      ['attachment.added', subject],
      ['attachment.removed', subject],
    ])
    await world.invite(room_id, world.people.guest, 'view')
    const feed = await client('guest').listEvents({ room_id })
    assert.deepEqual(
      feed.data.filter(({ type }) => type.startsWith('attachment.')).map(one => one.subject),
      [subject, subject],
    )
    assert.doesNotMatch(JSON.stringify(feed), new RegExp(name))
  })
})

describe('detaching a List from a Room', () => {
  it('removes it, also for somebody who cannot read it', async () => {
    const { room_id, attachment_id } = await roomWithList()
    await world.invite(room_id, world.people.guest, 'edit')
    const { room } = await client('guest').detachRoomResource({ room_id, attachment_id })
    assert.deepEqual(room.attachments, [])
    assert.deepEqual((await client('guest').getRoom({ room_id })).room, room)
    await refused(client('member').detachRoomResource({ room_id, attachment_id }), 'not_found')
  })
})
