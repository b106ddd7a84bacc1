import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'
import { textFile } from './fresh-file.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const member = () => client('member')

describe('GET /v1/files/{file_id}', () => {
  it('shows a File to its creator, to those in its Rooms, and to readers of its Business', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'edit')
    await world.invite(room_id, world.people.rival, 'view')
    const { file_id } = await textFile(member(), { room_id })
    const levelOf = async (name: keyof RoomWorld['people']) =>
      (await client(name).getFile({ file_id })).file.access_level
    assert.deepEqual(
      [await levelOf('member'), await levelOf('guest'), await levelOf('rival')],
      ['full_access', 'edit', 'view'],
    )
    await refused(client('owner').getFile({ file_id }), 'not_found')
    await refused(client('viewer').getFile({ file_id }), 'not_found')
  })

  it('gives the highest level of several Rooms, and at most view from an archived one', async () => {
    const [low, high] = [await world.room(), await world.room()]
    await world.invite(low, world.people.guest, 'view')
    await world.invite(high, world.people.guest, 'full_access')
    const { file_id } = await textFile(member(), { room_id: low })
    const levelNow = async () => (await client('guest').getFile({ file_id })).file.access_level
    assert.equal(await levelNow(), 'view')
    await member().attachRoomFile({ room_id: high, file_id })
    assert.equal(await levelNow(), 'full_access')
    await member().archiveRoom({ room_id: high, expected_revision: 1 })
    assert.equal(await levelNow(), 'view')
    await refused(
      client('guest').updateFile({ file_id, expected_revision: 1, name: 'New name' }),
      'forbidden',
    )
  })

  it('ends with the membership of its creator, and a new membership does not bring it back', async () => {
    const person = world.service.person('Cara')
    await world.service.join(world.workspace_id, person, 'member')
    const cara = world.as(person)
    const { file_id } = await textFile(cara)
    await world.service.sql(`update memberships set status = 'removed' where user_id = $1`, [person.user_id])
    await refused(cara.getFile({ file_id }), 'forbidden')
    await world.service.join(world.workspace_id, person, 'member')
    await refused(cara.getFile({ file_id }), 'not_found')
  })
})

describe('PATCH /v1/files/{file_id}', () => {
  it('changes what describes a File, and tells its Rooms', async () => {
    const room_id = await world.room()
    const { file_id, ...before } = await textFile(member(), { room_id, tags: ['a'], description: 'Old' })
    const { file, action_receipt } = await member().updateFile({
      file_id,
      expected_revision: 1,
      name: 'New.md',
      description: null,
      classification: 'legal',
      tags: ['b', 'c'],
    })
    assert.deepEqual(
      { ...file, updated_at: before.updated_at },
      {
        ...before,
        file_id,
        name: 'New.md',
        description: null,
        classification: 'legal',
        tags: ['b', 'c'],
        revision: 2,
      },
    )
    assert.deepEqual(action_receipt.changed, ['name', 'description', 'classification', 'tags'])
    assert.deepEqual((await member().getFile({ file_id })).file, file)
    const { data } = await member().listEvents({ room_id, limit: 1 })
    assert.deepEqual(
      [data[0]?.type, data[0]?.subject, data[0]?.data],
      [
        'file.updated',
        { type: 'file', id: file_id, name: 'New.md' },
        { changed: ['name', 'description', 'classification', 'tags'] },
      ],
    )
  })

  it('changes nothing if nothing is different', async () => {
    const { file_id, name } = await textFile(member())
    const { file, action_receipt } = await member().updateFile({ file_id, expected_revision: 1, name })
    assert.deepEqual([file.revision, action_receipt.changed], [1, []])
  })

  it('refuses a stale revision, an archived File, and those who may only view', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const { file_id } = await textFile(member(), { room_id })
    await member().updateFile({ file_id, expected_revision: 1, name: 'Second' })
    const conflict = await refused(
      member().updateFile({ file_id, expected_revision: 1, name: 'Third' }),
      'revision_conflict',
    )
    assert.deepEqual([conflict.expected, conflict.current], [1, 2])
    await refused(client('guest').updateFile({ file_id, expected_revision: 1, name: 'Third' }), 'forbidden')
    await refused(client('owner').updateFile({ file_id, expected_revision: 1, name: 'Third' }), 'not_found')
    await refused(member().updateFile({ file_id, expected_revision: 2 }), 'validation_error')
    await member().archiveFile({ file_id, expected_revision: 2 })
    await refused(member().updateFile({ file_id, expected_revision: 3, name: 'Third' }), 'state_conflict')
  })
})

describe('POST /v1/files/{file_id}/archive and /restore', () => {
  it('archives a File, which stays readable, in its Rooms too, until it is restored', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const { file_id } = await textFile(member(), { room_id })
    const { file } = await member().archiveFile({ file_id, expected_revision: 1 })
    assert.deepEqual([file.lifecycle, file.revision, file.archived_at], ['archived', 2, file.updated_at])
    assert.equal((await client('guest').readFileContent({ file_id })).file_content.has_more, false)
    assert.equal((await client('guest').listRoomFiles({ room_id })).data.length, 1)
    const again = await member().archiveFile({ file_id, expected_revision: 2 })
    assert.deepEqual([again.file, again.action_receipt.changed], [file, []])
    await refused(member().archiveFile({ file_id, expected_revision: 1 }), 'revision_conflict')
    const other = await world.room()
    await refused(member().attachRoomFile({ room_id: other, file_id }), 'state_conflict')
    const restored = await member().restoreFile({ file_id, expected_revision: 2 })
    assert.deepEqual([restored.file.lifecycle, restored.file.archived_at], ['active', null])
    await refused(member().restoreFile({ file_id, expected_revision: 3 }), 'state_conflict')
    assert.deepEqual((await world.eventsOf(room_id)).slice(-2), ['file.archived', 'file.restored'])
  })

  it('requires full access', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'edit')
    const { file_id } = await textFile(member(), { room_id })
    await refused(client('guest').archiveFile({ file_id, expected_revision: 1 }), 'forbidden')
  })
})

describe('GET /v1/files', () => {
  it('lists what the caller can see and nothing else, in pages, by id', async () => {
    const person = world.service.person('Lena')
    await world.service.join(world.workspace_id, person, 'member')
    const lena = world.as(person)
    const room_id = await world.room()
    await world.invite(room_id, person, 'view')
    const business_id = await addBusiness(world.service, { name: 'Glacier', publication_status: 'draft' })
    await world.service.link(world.workspace_id, business_id, world.people.owner, 'edit')
    const own = await textFile(lena)
    const inRoom = await textFile(member(), { room_id })
    const ofBusiness = await textFile(member(), { business_id })
    await textFile(member())
    const expected = [own, inRoom, ofBusiness].map(file => file.file_id).toSorted()
    const listed: string[] = []
    for (let cursor: string | null = null; ;) {
      const { data, page } = await lena.listFiles({ limit: 1, cursor })
      listed.push(...data.map(file => file.file_id))
      if (!page.has_more) break
      cursor = page.cursor
    }
    assert.deepEqual(
      listed.filter(id => expected.includes(id)),
      expected,
    )
    for (const id of listed) await lena.getFile({ file_id: id })
  })

  it('filters by Room, Business, classification, tag, lifecycle, name and status', async () => {
    const room_id = await world.room()
    const business_id = await addBusiness(world.service, { name: 'Glacier', publication_status: 'draft' })
    await world.service.link(world.workspace_id, business_id, world.people.owner, 'edit')
    const one = await textFile(member(), {
      room_id,
      name: '100%_Sure.md',
      classification: 'tax',
      tags: ['X-1'],
    })
    const two = await textFile(member(), { business_id, name: 'Other.md' })
    await member().archiveFile({ file_id: two.file_id, expected_revision: 1 })
    const { file: three } = await member().createFileUpload({
      name: 'Pending.pdf',
      content_type: 'application/pdf',
      size_bytes: 1,
      room_id,
    })
    const ids = async (filter: Parameters<ReturnType<typeof member>['listFiles']>[0]) =>
      (await member().listFiles({ ...filter, limit: 100 })).data.map(file => file.file_id)
    assert.deepEqual(await ids({ room_id }), [one.file_id, three.file_id].toSorted())
    assert.deepEqual(await ids({ business_id }), [two.file_id])
    assert.deepEqual(await ids({ room_id, classification: 'tax' }), [one.file_id])
    assert.deepEqual(await ids({ tag: 'X-1' }), [one.file_id])
    assert.deepEqual(await ids({ business_id, lifecycle: 'active' }), [])
    assert.deepEqual(await ids({ name: '%_sure' }), [one.file_id])
    assert.deepEqual(await ids({ room_id, processing_status: 'pending_upload' }), [three.file_id])
    await refused(client('owner').listFiles({ room_id }), 'not_found')
  })
})
