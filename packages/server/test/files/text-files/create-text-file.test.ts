import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'
import { readWhole } from '../content/read-whole.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('POST /v1/files/text', () => {
  it('creates a File that is ready at once, byte for byte', async () => {
    const content = '\uFEFFRevenue;1\r\n"Ünïcode, 😀"\u2028\t\u202Eabc\n\n'
    const { file, new_version, action_receipt, ...rest } = await client('member').createTextFile({
      name: 'P&L 2025.csv',
      content,
      format: 'csv',
      classification: 'financial',
      tags: ['2025', 'draft'],
      description: 'Accrual basis.',
    })
    assert.deepEqual(
      [
        file.name,
        file.classification,
        file.tags,
        file.origin,
        file.lifecycle,
        file.revision,
        file.access_level,
      ],
      ['P&L 2025.csv', 'financial', ['2025', 'draft'], 'text', 'active', 1, 'full_access'],
    )
    assert.deepEqual(
      [new_version.version_number, new_version.content_type, new_version.processing_status],
      [1, 'text/csv', 'ready'],
    )
    assert.deepEqual(
      [new_version.size_bytes, new_version.sha256],
      [Buffer.byteLength(content), sha256(content)],
    )
    assert.deepEqual(file.current_version, new_version)
    assert.deepEqual([action_receipt.operation, 'room_file' in rest], ['create_text_file', false])
    assert.deepEqual((await client('member').getFile({ file_id: file.file_id })).file, file)
    assert.equal(await readWhole(client('member'), file.file_id), content)
  })

  it('uses Markdown by default, and a media type for each format', async () => {
    const type = async (format?: 'plain_text' | 'tsv' | 'json') => {
      const input = { name: 'a', content: '{}', ...(format && { format }) }
      return (await client('member').createTextFile(input)).new_version.content_type
    }
    assert.deepEqual(
      [await type(), await type('plain_text'), await type('tsv'), await type('json')],
      ['text/markdown', 'text/plain', 'text/tab-separated-values', 'application/json'],
    )
  })

  it('takes up to 1 MiB of UTF-8, counted in bytes, however it is escaped', async () => {
    const longest = '\u0001'.repeat(1024 * 1024)
    const { file } = await client('member').createTextFile({ name: 'long', content: longest })
    assert.equal(await readWhole(client('member'), file.file_id), longest)
    for (const content of ['é'.repeat(512 * 1024) + 'a', 'a'.repeat(1024 * 1024 + 1)]) {
      const { errors } = await refused(
        client('member').createTextFile({ name: 'long', content }),
        'validation_error',
      )
      assert.deepEqual([errors[0]?.pointer, errors[0]?.code], ['/content', 'too_long'])
    }
  })

  it('takes empty content', async () => {
    const { file, new_version } = await client('member').createTextFile({ name: 'empty.md', content: '' })
    assert.equal(new_version.size_bytes, 0)
    const { file_content } = await client('member').readFileContent({ file_id: file.file_id })
    assert.deepEqual(
      [file_content.content, file_content.has_more, file_content.next_offset, file_content.total_bytes],
      ['', false, 0, 0],
    )
  })

  it('refuses NUL, invalid JSON, and names with slashes or control characters', async () => {
    const refusals = [
      [{ content: 'a\0b' }, '/content'],
      [{ content: '{a: 1}', format: 'json' }, '/content'],
      [{ name: '../secret' }, '/name'],
      [{ name: '..' }, '/name'],
      [{ name: 'a\\b' }, '/name'],
      [{ name: 'a\r\nSet-Cookie: b' }, '/name'],
      [{ name: '' }, '/name'],
      [{ tags: Array.from({ length: 21 }, (_, i) => `tag ${i}`) }, '/tags'],
      [{ tags: ['a', 'a'] }, '/tags'],
      [{ classification: 'secret' }, '/classification'],
      [{ format: 'html' }, '/format'],
      [{ index_path: 'a/b' }, '/index_path'],
    ] as const
    for (const [input, pointer] of refusals) {
      const { errors } = await refused(
        client('member').createTextFile({ name: 'a', content: 'b', ...input } as never),
        'validation_error',
      )
      assert.ok(errors[0]?.pointer.startsWith(pointer), `${JSON.stringify(input)}: ${errors[0]?.pointer}`)
    }
    const lone = await world.service.request('/v1/files/text', {
      method: 'POST',
      token: world.people.member.token,
      headers: {
        'content-type': 'application/json',
        'svc-workspace-id': world.workspace_id,
        'idempotency-key': 'a-lone-surrogate',
      },
      body: '{"name":"a","content":"\\ud800"}',
    })
    assert.equal(lone.status, 400)
  })

  it('adds the File to a Room in the same change, for whom the level in the Room is edit', async () => {
    const { room } = await client('member').createRoom({ title: 'Deal' })
    const guest = await world.invite(room.room_id, world.people.guest, 'edit')
    assert.ok(guest)
    const created = await client('guest').createTextFile({
      name: 'Notes.md',
      content: '# Notes',
      room_id: room.room_id,
      index_path: 'Legal/Notes.md',
    })
    const { room_file, file } = created
    assert.deepEqual(
      [
        room_file?.room_id,
        room_file?.status,
        room_file?.access_mode,
        room_file?.index_path,
        room_file?.revision,
      ],
      [room.room_id, 'active', 'inherit_room', 'Legal/Notes.md', 1],
    )
    assert.deepEqual([file.access_level, room_file?.access_level], ['edit', 'edit'])
    assert.equal(room_file?.file_version_id, file.current_version.file_version_id)
    assert.deepEqual((await client('guest').getFile({ file_id: file.file_id })).file, file)
    assert.deepEqual((await world.eventsOf(room.room_id)).slice(-2), ['file.created', 'file.added_to_room'])
    await refused(client('guest').createTextFile({ name: 'a', content: 'b' }), 'forbidden')
    await refused(client('admin').getFile({ file_id: file.file_id }), 'not_found')
    await refused(
      client('admin').createTextFile({ name: 'a', content: 'b', room_id: room.room_id }),
      'not_found',
    )
  })

  it('refuses a Room in which the caller may only view, or that is archived', async () => {
    const { room } = await client('member').createRoom({ title: 'Deal' })
    await world.invite(room.room_id, world.people.guest, 'view')
    await refused(
      client('guest').createTextFile({ name: 'a', content: 'b', room_id: room.room_id }),
      'forbidden',
    )
    await client('member').archiveRoom({ room_id: room.room_id, expected_revision: room.revision })
    await refused(
      client('member').createTextFile({ name: 'a', content: 'b', room_id: room.room_id }),
      'state_conflict',
    )
  })

  it('adds the File to a Business, whose readers can then view it', async () => {
    const business_id = await addBusiness(world.service, { name: 'Glacier', publication_status: 'draft' })
    await world.service.link(world.workspace_id, business_id, world.people.owner, 'edit')
    const { file } = await client('member').createTextFile({ name: 'a', content: 'b', business_id })
    assert.equal(file.business_id, business_id)
    const seen = await client('viewer').getFile({ file_id: file.file_id })
    assert.equal(seen.file.access_level, 'view')
    assert.equal(await readWhole(client('viewer'), file.file_id), 'b')
    const hidden = await addBusiness(world.service, { name: 'Hidden', publication_status: 'draft' })
    await refused(
      client('member').createTextFile({ name: 'a', content: 'b', business_id: hidden }),
      'not_found',
    )
    const viewable = await addBusiness(world.service, { name: 'Viewable' })
    await refused(
      client('member').createTextFile({ name: 'a', content: 'b', business_id: viewable }),
      'forbidden',
    )
  })

  it('needs files:write, which the role viewer does not have', async () => {
    await refused(client('viewer').createTextFile({ name: 'a', content: 'b' }), 'forbidden')
  })

  it('stores nothing of a refused File, and one File for a repeated request', async () => {
    const count = async () => Number((await world.service.sql('select count(*) as n from files'))[0]?.['n'])
    const before = await count()
    const options = { idempotency_key: 'one-text-file' }
    const first = await client('member').createTextFile({ name: 'a', content: 'b' }, options)
    const again = await client('member').createTextFile({ name: 'a', content: 'b' }, options)
    assert.deepEqual([again.file, again.idempotent_replay], [first.file, true])
    await refused(
      client('member').createTextFile({ name: 'a', content: 'c' }, options),
      'idempotency_key_reused',
    )
    assert.equal(await count(), before + 1)
  })
})
