import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createClient, uploadFile, UploadFailed, type Client } from '@wbs/sdk'
import { sampleDataFolder, type DataFolder } from '../../../server/test/harness/process.ts'

const mebibyte = 1024 * 1024
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('uploadFile over the service', () => {
  let data: DataFolder
  let client: Client
  let room_id: string
  before(async () => {
    data = await sampleDataFolder()
    const { base_url, workspace_id, users } = await (await data.start()).quickstart()
    client = createClient({ base_url, workspace_id, access_token: users.owner?.access_token ?? '' })
    room_id = (await client.createRoom({ title: 'Data room' })).room.room_id
  })
  after(() => data.remove())

  const content = new Uint8Array(randomBytes(17 * mebibyte))
  const scan = { name: 'scan.bin', index_path: 'Scans/scan.bin' }

  it('brings content into a Room, where it reads back byte for byte', async () => {
    const { file, version, room_file } = await uploadFile(client, content, { ...scan, room_id })
    assert.deepEqual(
      [version.processing_status, version.sha256, room_file?.status, room_file?.index_path],
      ['ready', sha256Of(content), 'active', scan.index_path],
    )
    const { file_id } = file
    const { answer: whole, response } = await client.downloadFile({ file_id }).withResponse()
    const known = await client.downloadFile({ file_id }, { if_none_match: response.etag ?? '' })
    assert.deepEqual([known.status, await known.text()], [304, ''])
    assert.equal(sha256Of(new Uint8Array(await whole.arrayBuffer())), sha256Of(content))
    const start = 8 * mebibyte - 5
    const range = await client.downloadFile({ file_id }, { range: { start, end: start + 10 } })
    assert.deepEqual(new Uint8Array(await range.arrayBuffer()), content.subarray(start, start + 10))
  })

  it('adds a version from a stream, which the Room then shows', async () => {
    const { file, room_file } = await uploadFile(client, content.subarray(1), {
      ...scan,
      name: 'b.bin',
      room_id,
    })
    const next = content.subarray(2)
    const { version } = await uploadFile(client, new Blob([next]).stream() as ReadableStream<Uint8Array>, {
      file_id: file.file_id,
      expected_revision: file.revision,
      size_bytes: next.length,
    })
    assert.deepEqual([version.version_number, version.sha256], [2, sha256Of(next)])
    const { room_file: now } = await client.getRoomFile({ room_file_id: room_file?.room_file_id ?? '' })
    assert.equal(now.file_version_id, version.file_version_id)
  })

  it('continues in the same place what was aborted', async () => {
    const controller = new AbortController()
    const place = { name: 'c.bin', room_id }
    let upload_id = ''
    const first = uploadFile(client, content, {
      ...place,
      concurrency: 1,
      signal: controller.signal,
      onProgress(progress) {
        upload_id = progress.upload_id ?? upload_id
        // The first part was received, and the second one is on its way.
        if (progress.sent_bytes > 8 * mebibyte) controller.abort(new Error('No longer wanted.'))
      },
    })
    await assert.rejects(first, /No longer wanted/)
    const { upload } = await client.getUpload({ upload_id })
    assert.ok(upload.received_parts.length >= 1 && upload.received_parts.length < 3)
    const sent: number[] = []
    const { file, version, room_file } = await uploadFile(client, content, {
      ...place,
      resume: 'auto',
      onProgress: ({ sent_bytes, phase }) => void (phase === 'sending' && sent.push(sent_bytes)),
    })
    assert.ok((sent[0] ?? 0) >= 8 * mebibyte, 'it began anew')
    assert.deepEqual(
      [file.file_id, version.sha256, room_file?.status],
      [upload.file_id, sha256Of(content), 'active'],
    )
  })

  it('says why the service did not accept the content', async () => {
    const png = Uint8Array.from(Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex'))
    await assert.rejects(
      uploadFile(client, png, { name: 'plan.pdf' }),
      error => error instanceof UploadFailed && error.processing_error === 'type_mismatch',
    )
  })

  it('creates empty text', async () => {
    const { version } = await uploadFile(client, new Uint8Array(), { name: 'empty.txt' })
    assert.deepEqual([version.size_bytes, version.processing_status], [0, 'ready'])
  })
})
