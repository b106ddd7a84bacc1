import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeUploadWorld, partOf, put, sha256Of, someBytes, type UploadWorld } from './upload-fixture.ts'

let world: UploadWorld
before(async () => void (world = await makeUploadWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)
const expect = (value: unknown, wanted: object) => assert.partialDeepStrictEqual(value, wanted)

describe('An upload from its beginning to its end', () => {
  it('makes a File whose content can be downloaded, with events in its Room', async () => {
    const room_id = await world.room()
    const content = someBytes(2500)
    const begun = await world.begin(content, { room_id, sha256: sha256Of(content) })
    const { file, upload, new_version, room_file } = begun
    expect(begun, {
      file: { origin: 'upload', revision: 1, access_level: 'full_access', current_version: new_version },
      new_version: { processing_status: 'pending_upload', version_number: 1, sha256: sha256Of(content) },
      upload: { status: 'open', part_size_bytes: 1000, part_count: 3, received_parts: [] },
      room_file: { room_id, status: 'pending', index_path: 'Notes.txt', file_version_id: null },
    })
    assert.ok(room_file)
    await world.send(upload, content)
    const { upload: full } = await member().getUpload({ upload_id: upload.upload_id })
    assert.deepEqual(
      full.received_parts.map(({ part_number, size_bytes }) => [part_number, size_bytes]),
      [
        [1, 1000],
        [2, 1000],
        [3, 500],
      ],
    )
    const completed = await member().completeUpload({ upload_id: upload.upload_id })
    expect(completed, {
      file: { revision: 2, current_version: { processing_status: 'processing' } },
      new_version: { processing_status: 'processing', sha256: sha256Of(content) },
      upload: { status: 'completed', received_parts: [] },
    })
    await world.processed(begun)
    const { file: ready } = await member().getFile({ file_id: file.file_id })
    expect(ready, {
      revision: 3,
      current_version: { processing_status: 'ready', summary: 'Text, 2 pages', processing_error: null },
    })
    const [row] = await world.service.sql('select status, revision from room_files where id = $1', [
      room_file.room_file_id,
    ])
    assert.deepEqual(row, { status: 'active', revision: 2 })
    const download = await world.service.request(`/v1/files/${file.file_id}/download`, {
      token: world.people.member.token,
      headers: { 'svc-workspace-id': world.workspace_id },
    })
    assert.equal(download.status, 200)
    assert.deepEqual(await world.eventsOf(room_id), [
      'room.created',
      'file.created',
      'file.added_to_room',
      'file.ready',
    ])
  })
})

describe('The parts of an upload', () => {
  it('can be sent in any order, at the same time and again, and the last one received counts', async () => {
    const content = someBytes(5000)
    const { upload, file, new_version } = await world.begin(content)
    const other = someBytes(5000)
    await world.send(upload, other, [5, 3, 1])
    await Promise.all([world.send(upload, content, [2, 4]), world.send(upload, other, [2])])
    await world.send(upload, content, [1, 2, 3, 5])
    const { new_version: completed } = await member().completeUpload({ upload_id: upload.upload_id })
    assert.equal(completed.sha256, sha256Of(content))
    assert.equal((await world.processed({ file, new_version })).processing_status, 'ready')
  })

  it('are listed when they are stored, so that an upload can be resumed', async () => {
    const content = someBytes(3000)
    const { upload } = await world.begin(content)
    const { upload_id } = upload
    await world.send(upload, content, [3, 1])
    const { upload: half } = await member().getUpload({ upload_id })
    assert.deepEqual(
      half.received_parts.map(({ part_number }) => part_number),
      [1, 3],
    )
    const refusal = await refused(member().completeUpload({ upload_id }), 'state_conflict')
    assert.equal(refusal.current_status, 'open')
    assert.match(refusal.detail, /1 of 3 parts are missing: 2/)
    await world.send(upload, content, [2])
    await member().completeUpload({ upload_id })
  })

  it('have the ETag that the answer to the PUT had', async () => {
    const content = someBytes(1000)
    const { upload } = await world.begin(content)
    const { parts } = await member().createPartUrls({ upload_id: upload.upload_id, part_numbers: [1] })
    const sent = await put(parts[0]?.url ?? '', content)
    const { upload: full } = await member().getUpload({ upload_id: upload.upload_id })
    assert.equal(full.received_parts[0]?.etag, sent.headers.get('etag'))
  })

  it('are sent in their exact size, to an address that was not altered', async () => {
    const content = someBytes(1500)
    const { upload } = await world.begin(content)
    const { parts } = await member().createPartUrls({ upload_id: upload.upload_id, part_numbers: [1, 2] })
    const [first, second] = parts.map(part => part.url) as [string, string]
    assert.equal((await put(first, partOf(content, 2))).status, 400)
    assert.equal((await put(second, partOf(content, 1))).status, 400)
    for (const url of [
      first.replace('/parts/1', '/parts/2'),
      first.replace(/expires=\d+/, `expires=${Date.now() + 10_000_000}`),
      first.replace(/signature=./, one => (one === 'signature=A' ? 'signature=B' : 'signature=A')),
      first.replace(/user=[^&]+/, `user=${world.people.owner.user_id}`),
      first.replace(upload.upload_id, 'upl_01M82HHYW0FEAFTW7QTJBBJ4HB'),
      first.slice(0, first.indexOf('?')),
    ])
      assert.equal((await put(url, partOf(content, 1))).status, 403, url)
    const { upload: empty } = await member().getUpload({ upload_id: upload.upload_id })
    assert.deepEqual(empty.received_parts, [])
  })

  it('must be parts of the upload', async () => {
    const { upload } = await world.begin(someBytes(1500))
    const { upload_id } = upload
    const asked = member().createPartUrls({ upload_id, part_numbers: [1, 3] })
    const { errors } = await refused(asked, 'validation_error')
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/part_numbers/1'],
    )
  })
})

describe('POST /v1/uploads/{upload_id}/content', () => {
  it('stores small content at once', async () => {
    const content = someBytes(2345)
    const { upload, file, new_version } = await world.begin(content)
    const { upload_id } = upload
    const sent = await member().uploadContent({ upload_id, content: content.toString('base64') })
    assert.equal(sent.upload.received_parts.length, 3)
    const { new_version: completed } = await member().completeUpload({ upload_id })
    assert.equal(completed.sha256, sha256Of(content))
    assert.equal((await world.processed({ file, new_version })).processing_status, 'ready')
  })

  it('takes 4 MiB', async () => {
    const content = someBytes(4 * 1024 * 1024)
    const { upload } = await world.begin(content)
    await world.service.sql(
      'update file_uploads set part_size_bytes = size_bytes, part_count = 1 where id = $1',
      [upload.upload_id],
    )
    const { upload_id } = upload
    await member().uploadContent({ upload_id, content: content.toString('base64') })
    await member().completeUpload({ upload_id })
  })

  it('refuses content of another size, and text that is not base64', async () => {
    const content = someBytes(1000)
    const { upload } = await world.begin(content)
    const { upload_id } = upload
    for (const wrong of [
      content.subarray(1).toString('base64'),
      Buffer.concat([content, Buffer.alloc(1)]).toString('base64'),
      `${content.toString('base64').slice(0, -4)}AAA`,
      '',
    ]) {
      const { errors } = await refused(
        member().uploadContent({ upload_id, content: wrong }),
        'validation_error',
      )
      assert.equal(errors[0]?.pointer, '/content')
    }
    const { upload: empty } = await member().getUpload({ upload_id })
    assert.deepEqual(empty.received_parts, [])
  })
})

describe('GET /v1/uploads', () => {
  it('lists your own uploads by their id, with filters and pages', async () => {
    const owner = world.as(world.people.owner)
    const content = someBytes(500)
    const first = await world.begin(content, {}, owner)
    const second = await world.begin(content, {}, owner)
    const others = [await world.begin(content, {}, owner), await world.begin(content, {}, owner)]
    const ids = [first, second, ...others].map(({ upload }) => upload.upload_id).toSorted()
    await world.send(first.upload, content, [1], owner)
    await owner.completeUpload({ upload_id: first.upload.upload_id })
    const { data } = await owner.listUploads({})
    assert.deepEqual(
      data.map(({ upload_id }) => upload_id),
      ids,
    )
    const paged: string[] = []
    for await (const { upload_id } of owner.listUploads.each({ limit: 2 })) paged.push(upload_id)
    assert.deepEqual(paged, ids)
    const open = await owner.listUploads({ status: 'open' })
    assert.equal(open.data.length, 3)
    const of = await owner.listUploads({ file_id: second.file.file_id })
    assert.deepEqual(
      of.data.map(({ upload_id }) => upload_id),
      [second.upload.upload_id],
    )
    assert.deepEqual((await world.as(world.people.admin).listUploads({})).data, [])
  })
})
