import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { uploadFile } from '@wbs/sdk'
import type { BucketSettings } from '../../../src/blobs/blob-settings.ts'
import { createBlobStore } from '../../../src/blobs/create-blob-store.ts'
import { openBucket } from '../../../src/blobs/s3/bucket.ts'
import { refused } from '../../harness/refused.ts'
import { fetchSwift } from '../../harness/swift/swift-packages.ts'
import { startSwift, type SwiftServer } from '../../harness/swift/swift-server.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'
import { readWhole } from '../content/read-whole.ts'
import { textFile } from '../fresh-file.ts'

const swift = await fetchSwift()
const skip = 'missing' in swift && swift.missing

/** The smallest part that S3 takes, except for the last one. */
const partBytes = 5 * 1024 * 1024

describe('Files whose content is in S3', { skip }, () => {
  let server: SwiftServer
  let world: RoomWorld
  before(async () => {
    server = await startSwift('root' in swift ? swift.root : '')
    const settings: BucketSettings = {
      bucket: 'files',
      prefix: '',
      endpoint: server.endpoint,
      region: 'us-east-1',
      path_style: true,
      credentials: server.keys,
    }
    const { client } = await openBucket(settings)
    await client.send(new CreateBucketCommand({ Bucket: settings.bucket }))
    const blobs = createBlobStore({ s3: settings }, '')
    world = await makeRoomWorld({ blobs, uploads: { part_bytes: partBytes } })
  })
  after(async () => {
    await world?.close()
    await server?.stop()
  })
  const member = () => world.as(world.people.member)

  it('are uploaded directly to the bucket, in parts, and downloaded byte for byte', async () => {
    const room_id = await world.room()
    const content = randomBytes(partBytes + 1234)
    const { version, room_file } = await uploadFile(member(), content, { name: 'model.bin', room_id })
    assert.equal(version.sha256, createHash('sha256').update(content).digest('hex'))
    assert.equal(room_file?.room_id, room_id)
    const [file] = (await member().listRoomFiles({ room_id })).data
    const { file_id } = file?.file ?? assert.fail('The Room does not have the File.')
    const whole = await member().downloadFile({ file_id })
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(content))
    const range = { start: partBytes - 3, end: partBytes + 3 }
    const part = await member().downloadFile({ file_id }, { range })
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), content.subarray(range.start, range.end))
  })

  it('have addresses for their parts that lead to the bucket, and are complete only with all parts', async () => {
    const content = randomBytes(partBytes + 10)
    const { upload } = await member().createFileUpload({
      name: 'half.bin',
      content_type: 'application/octet-stream',
      size_bytes: content.length,
    })
    const { upload_id } = upload
    const { parts } = await member().createPartUrls({ upload_id, part_numbers: [2] })
    const last = parts[0] ?? assert.fail('There is no address.')
    assert.ok(last.url.startsWith(server.endpoint))
    const body = new Uint8Array(content.subarray(partBytes))
    const { status } = await fetch(last.url, { method: 'PUT', body })
    assert.equal(status, 200)
    const { received_parts } = (await member().getUpload({ upload_id })).upload
    assert.deepEqual(
      received_parts.map(part => [part.part_number, part.size_bytes]),
      [[2, 10]],
    )
    await refused(member().completeUpload({ upload_id }), 'state_conflict')
    assert.equal((await member().abortUpload({ upload_id })).upload.status, 'aborted')
  })

  it('are uploaded through the service by a key that is limited to networks', async () => {
    const allowed_cidrs = ['127.0.0.0/8']
    const owner = world.as(world.people.owner)
    const scopes = ['files:read', 'files:write'] as const
    const { secret } = await owner.createApiKey({ name: 'A key', scopes, allowed_cidrs })
    const key = world.service.client({ api_key: secret ?? '', workspace_id: world.workspace_id })
    const content = randomBytes(partBytes + 10)
    const { upload } = await key.createFileUpload({
      name: 'limited.bin',
      content_type: 'application/octet-stream',
      size_bytes: content.length,
    })
    const { upload_id } = upload
    const { parts } = await key.createPartUrls({ upload_id, part_numbers: [1, 2] })
    for (const { url, part_number } of parts) {
      assert.ok(url.startsWith(world.service.base_url))
      const body = new Uint8Array(content.subarray((part_number - 1) * partBytes, part_number * partBytes))
      assert.equal((await fetch(url, { method: 'PUT', body })).status, 200)
    }
    assert.equal((await key.completeUpload({ upload_id })).upload.status, 'completed')
  })

  it('may be created from text', async () => {
    const { file_id } = await textFile(member(), { content: 'In a bucket: 😀' })
    assert.equal(await readWhole(member(), file_id, 4), 'In a bucket: 😀')
  })
})
