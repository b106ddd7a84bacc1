import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../room-fixture.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const newRoom = async () => (await client('member').createRoom({ title: 'Sale' })).room.room_id
const business = (resource_id: string) => ({ resource_type: 'business', resource_id }) as const

describe('POST /v1/rooms/{room_id}/attachments', () => {
  it('attaches a Business once, however often it is sent', async () => {
    const room_id = await newRoom()
    const id = await addBusiness(world.service, { name: 'Glacier Credit Union' })
    const { room, action_receipt } = await client('member').attachRoomResource({ room_id, ...business(id) })
    const [{ attachment_id, attached_at, ...rest }] = room.attachments as [(typeof room.attachments)[number]]
    assert.deepEqual(rest, { type: 'business', id, label: 'Glacier Credit Union' })
    assert.match(attachment_id, /^[0-9a-f-]{36}$/)
    assert.ok(Date.parse(attached_at) > 0)
    assert.equal(action_receipt.action, 'attach_room_resource')
    assert.deepEqual(action_receipt.changed, ['attachments'])
    const again = await client('member').attachRoomResource({ room_id, ...business(id) })
    assert.deepEqual(again.room, room)
    assert.notEqual(again.action_receipt.receipt_id, action_receipt.receipt_id)
    assert.deepEqual(await world.eventsOf(room_id), ['room.created', 'attachment.added'])
  })

  it('requires edit access and a Business that the caller can read', async () => {
    const room_id = await newRoom()
    const draft = await addBusiness(world.service, { name: 'Secret', publication_status: 'draft' })
    for (const id of [draft, newId('biz')])
      await refused(client('member').attachRoomResource({ room_id, ...business(id) }), 'not_found')
    await world.invite(room_id, world.people.owner, 'view')
    const id = await addBusiness(world.service, { name: 'Glacier' })
    await refused(client('owner').attachRoomResource({ room_id, ...business(id) }), 'forbidden')
  })

  it('shares nothing: who cannot read the Business sees the attachment without a name', async () => {
    const room_id = await newRoom()
    const draft = await addBusiness(world.service, { name: 'Secret Draft', publication_status: 'draft' })
    const open = await addBusiness(world.service, { name: 'Open' })
    await world.service.link(world.workspace_id, draft, world.people.owner, 'full_access')
    await client('member').attachRoomResource({ room_id, ...business(draft) })
    await client('member').attachRoomResource({ room_id, ...business(open) })
    await world.invite(room_id, world.people.guest, 'view')
    const { room } = await client('guest').getRoom({ room_id })
    assert.deepEqual(
      room.attachments.map(({ id, label }) => [id, label]),
      [
        [draft, null],
        [open, 'Open'],
      ],
    )
    const [event] = await world.service.sql(
      `select subject from events where room_id = $1 and type = 'attachment.added' order by position`,
      [room_id],
    )
    assert.deepEqual(event?.['subject'], { type: 'business', id: draft, name: null })
  })

  it('refuses more than 50, also in a race', async () => {
    const room_id = await newRoom()
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, i) => addBusiness(world.service, { name: `Business ${i}` })),
    )
    for (const id of ids.slice(0, 45)) await client('member').attachRoomResource({ room_id, ...business(id) })
    const results = await Promise.allSettled(
      ids.slice(45).map(id => client('member').attachRoomResource({ room_id, ...business(id) })),
    )
    assert.equal(results.filter(result => result.status === 'fulfilled').length, 5)
    const { room } = await client('member').getRoom({ room_id })
    assert.equal(room.attachments.length, 50)
    assert.equal(room.revision, 51)
    await refused(
      client('member').attachRoomResource({ room_id, ...business(ids[59] as string) }),
      'limit_reached',
    )
  })
})

describe('POST /v1/rooms/{room_id}/attachments/{attachment_id}/remove', () => {
  it('removes an attachment, and answers 404 the second time', async () => {
    const room_id = await newRoom()
    const id = await addBusiness(world.service, { name: 'Glacier' })
    const { room } = await client('member').attachRoomResource({ room_id, ...business(id) })
    const attachment_id = room.attachments[0]?.attachment_id as string
    const options = { idempotency_key: randomUUID() }
    const removed = await client('member').detachRoomResource({ room_id, attachment_id }, options)
    assert.deepEqual([removed.room.attachments, removed.room.revision], [[], 3])
    assert.equal(removed.action_receipt.action, 'detach_room_resource')
    assert.equal(
      (await client('member').detachRoomResource({ room_id, attachment_id }, options)).idempotent_replay,
      true,
    )
    await refused(client('member').detachRoomResource({ room_id, attachment_id }), 'not_found')
    assert.deepEqual(await world.eventsOf(room_id), [
      'room.created',
      'attachment.added',
      'attachment.removed',
    ])
  })

  it('removes it once for many concurrent requests', async () => {
    const room_id = await newRoom()
    const id = await addBusiness(world.service, { name: 'Glacier' })
    const { room } = await client('member').attachRoomResource({ room_id, ...business(id) })
    const attachment_id = room.attachments[0]?.attachment_id as string
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => client('member').detachRoomResource({ room_id, attachment_id })),
    )
    assert.equal(results.filter(result => result.status === 'fulfilled').length, 1)
    assert.deepEqual((await client('member').getRoom({ room_id })).room.revision, 3)
    assert.equal((await world.eventsOf(room_id)).filter(type => type === 'attachment.removed').length, 1)
  })

  it('requires edit access, after 404 for an unknown attachment', async () => {
    const room_id = await newRoom()
    const id = await addBusiness(world.service, { name: 'Glacier' })
    const { room } = await client('member').attachRoomResource({ room_id, ...business(id) })
    const attachment_id = room.attachments[0]?.attachment_id as string
    await world.invite(room_id, world.people.guest, 'view')
    await refused(client('guest').detachRoomResource({ room_id, attachment_id }), 'forbidden')
    await refused(client('guest').detachRoomResource({ room_id, attachment_id: randomUUID() }), 'not_found')
  })

  it('names the removed resource in the event, without the name of an unpublished one', async () => {
    const room_id = await newRoom()
    const draft = await addBusiness(world.service, { name: 'Secret Draft', publication_status: 'draft' })
    const open = await addBusiness(world.service, { name: 'Open' })
    await world.service.link(world.workspace_id, draft, world.people.owner, 'full_access')
    for (const id of [draft, open]) {
      const { room } = await client('member').attachRoomResource({ room_id, ...business(id) })
      const attachment_id = room.attachments[0]?.attachment_id as string
      await client('member').detachRoomResource({ room_id, attachment_id })
    }
    const events = await world.service.sql(
      `select subject from events where room_id = $1 and type = 'attachment.removed' order by position`,
      [room_id],
    )
    assert.deepEqual(
      events.map(event => event['subject']),
      [
        { type: 'business', id: draft, name: null },
        { type: 'business', id: open, name: 'Open' },
      ],
    )
  })

  it('answers 404 for an attachment of another Room', async () => {
    const [room_id, other] = [await newRoom(), await newRoom()]
    const id = await addBusiness(world.service, { name: 'Glacier' })
    const { room } = await client('member').attachRoomResource({ room_id: other, ...business(id) })
    const attachment_id = room.attachments[0]?.attachment_id as string
    await refused(client('member').detachRoomResource({ room_id, attachment_id }), 'not_found')
  })
})
