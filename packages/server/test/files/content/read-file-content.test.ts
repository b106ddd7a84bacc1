import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'
import { textFile } from '../fresh-file.ts'
import { uploadedFile } from '../uploaded-file.ts'
import { readWhole } from './read-whole.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const member = () => client('member')

describe('POST /v1/files/{file_id}/content', () => {
  it('reads text in pages by bytes, which end between characters', async () => {
    const { file_id } = await textFile(member(), { content: 'aé😀z\r\n' })
    const page = async (offset: number, max_bytes: number) => {
      const { file_content } = await member().readFileContent({ file_id, offset, max_bytes })
      const { content, size_bytes, next_offset, has_more } = file_content
      return [content, size_bytes, next_offset, has_more]
    }
    assert.deepEqual(await page(0, 4), ['aé', 3, 3, true])
    assert.deepEqual(await page(3, 4), ['😀', 4, 7, true])
    assert.deepEqual(await page(7, 4), ['z\r\n', 3, 10, false])
    assert.deepEqual(await page(10, 4), ['', 0, 10, false])
    const { file_content } = await member().readFileContent({ file_id })
    assert.deepEqual(
      [file_content.encoding, file_content.content_type, file_content.file_name, file_content.total_bytes],
      ['utf8', 'text/markdown', 'Notes.md', 10],
    )
    assert.equal(await readWhole(member(), file_id, 4), 'aé😀z\r\n')
  })

  it('refuses an offset within a character or after the end, and a page of an impossible size', async () => {
    const { file_id } = await textFile(member(), { content: 'aé' })
    const refusal = async (input: { offset?: number; max_bytes?: number }) => {
      const { errors } = await refused(member().readFileContent({ file_id, ...input }), 'validation_error')
      return [errors[0]?.pointer, errors[0]?.code]
    }
    assert.deepEqual(await refusal({ offset: 2 }), ['/offset', 'not_boundary'])
    assert.deepEqual(await refusal({ offset: 4 }), ['/offset', 'out_of_range'])
    assert.deepEqual(await refusal({ offset: -1 }), ['/offset', 'out_of_range'])
    assert.deepEqual(await refusal({ max_bytes: 3 }), ['/max_bytes', 'out_of_range'])
    assert.deepEqual(await refusal({ max_bytes: 262_145 }), ['/max_bytes', 'out_of_range'])
  })

  it('reads other content as base64, of at most 256 KiB', async () => {
    const small = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 7)])
    const { file_id } = await uploadedFile(member(), { content_type: 'application/octet-stream' }, small)
    const { file_content } = await member().readFileContent({ file_id, offset: 4, max_bytes: 50 })
    assert.equal(file_content.encoding, 'base64')
    assert.deepEqual(Buffer.from(file_content.content, 'base64'), small.subarray(4, 54))
    assert.deepEqual(
      [file_content.size_bytes, file_content.next_offset, file_content.has_more],
      [50, 54, true],
    )
    const large = Buffer.concat([small, Buffer.alloc(256 * 1024, 1)])
    const other = await uploadedFile(member(), { content_type: 'application/octet-stream' }, large)
    await refused(member().readFileContent({ file_id: other.file_id }), 'download_required')
  })

  it('reads a pinned version while newer ones arrive', async () => {
    const file = await textFile(member(), { content: 'first version' })
    const first = file.current_version.file_version_id
    const { file_content } = await member().readFileContent({ file_id: file.file_id, file_version_id: first })
    assert.equal(file_content.file_version_id, first)
    const other = await textFile(member(), { content: 'of another File' })
    await refused(
      member().readFileContent({
        file_id: file.file_id,
        file_version_id: other.current_version.file_version_id,
      }),
      'not_found',
    )
  })

  it('needs no Idempotency-Key, and writes nothing if one is sent', async () => {
    const { file_id } = await textFile(member())
    const commands = async () =>
      Number((await world.service.sql('select count(*) as n from commands'))[0]?.['n'])
    const count = await commands()
    const { status } = await world.service.request(`/v1/files/${file_id}/content`, {
      method: 'POST',
      token: world.people.member.token,
      headers: {
        'content-type': 'application/json',
        'svc-workspace-id': world.workspace_id,
        'idempotency-key': 'a-key-that-is-ignored',
      },
      body: '{}',
    })
    assert.deepEqual([status, await commands()], [200, count])
  })

  it('is refused without access, and for a version that is not ready', async () => {
    const { file_id } = await textFile(member())
    await refused(client('admin').readFileContent({ file_id }), 'not_found')
    const { file } = await member().createFileUpload({
      name: 'later.bin',
      content_type: 'application/octet-stream',
      size_bytes: 3,
    })
    const { current_status } = await refused(
      member().readFileContent({ file_id: file.file_id }),
      'state_conflict',
    )
    assert.equal(current_status, 'pending_upload')
  })

  it('lets participants who may not download read text, and nothing else', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    await world.service.sql(
      `update room_participants set can_download = false where room_id = $1 and user_id = $2`,
      [room_id, world.people.guest.user_id],
    )
    const text = await textFile(member(), { room_id, content: 'Readable' })
    assert.equal(await readWhole(client('guest'), text.file_id), 'Readable')
    const bytes = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')
    const other = await uploadedFile(member(), { content_type: 'application/octet-stream', room_id }, bytes)
    await refused(client('guest').readFileContent({ file_id: other.file_id }), 'forbidden')
    await refused(client('guest').createDownloadLink({ file_id: text.file_id }), 'forbidden')
    await refused(client('guest').downloadFile({ file_id: text.file_id }), 'forbidden')
    assert.equal((await member().downloadFile({ file_id: text.file_id })).status, 200)
  })
})

describe('GET /v1/files/{file_id}/text', () => {
  it('gives text by pages of whole characters, which are the content again when put together', async () => {
    const content = '😀é€a'.repeat(20_000)
    const { file_id } = await textFile(member(), { content })
    let text = ''
    for (let page = 1; ; page++) {
      const { data } = await member().getFileText({ file_id, page })
      assert.deepEqual([data.page, data.extraction.status], [page, 'ready'])
      text += data.text
      if (!data.has_more) break
    }
    assert.equal(text, content)
    assert.equal((await member().getFileText({ file_id, page: 1000 })).data.text, '')
  })

  it('says that there is none where the type has no text', async () => {
    const bytes = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1')
    const { file_id } = await uploadedFile(member(), { content_type: 'application/octet-stream' }, bytes)
    const { data } = await member().getFileText({ file_id })
    assert.deepEqual([data.text, data.has_more, data.extraction], ['', false, { status: 'none', pages: 0 }])
  })
})
