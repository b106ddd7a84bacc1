import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { S3Client, CreateBucketCommand } from '@aws-sdk/client-s3'
import { StoreUnavailable } from '../../src/blobs/blob-errors.ts'
import type { BucketSettings } from '../../src/blobs/blob-settings.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { createBlobStore } from '../../src/blobs/create-blob-store.ts'
import { putBlob } from '../../src/blobs/s3/bucket-blobs.ts'
import { openBucket } from '../../src/blobs/s3/bucket.ts'
import { copyObject } from '../../src/blobs/s3/copy-object.ts'
import { fetchSwift } from '../harness/swift/swift-packages.ts'
import { startSwift, type SwiftServer } from '../harness/swift/swift-server.ts'
import { begin, contentOf, newTestId, readAll, send } from './blob-world.ts'
import { itKeepsContent, itKeepsUploads } from './contract.ts'

const swift = await fetchSwift()
const skip = 'missing' in swift && swift.missing

describe('content in S3', { skip }, () => {
  let server: SwiftServer
  let settings: BucketSettings
  let store: BlobStore
  before(async () => {
    server = await startSwift('root' in swift ? swift.root : '')
    settings = {
      bucket: 'content',
      prefix: 'service/',
      endpoint: server.endpoint,
      region: 'us-east-1',
      path_style: true,
      credentials: server.keys,
    }
    await createBucket(settings)
    store = createBlobStore({ s3: settings }, '')
  })
  after(async () => {
    await store?.close()
    await server?.stop()
  })

  itKeepsContent(() => store)
  itKeepsUploads(() => store)

  it('is refused with wrong keys, and says which settings are wrong', async () => {
    for (const wrong of [
      { access_key_id: server.keys.access_key_id, secret_access_key: 'wrong' },
      { access_key_id: 'nobody:nobody', secret_access_key: server.keys.secret_access_key },
    ])
      await assert.rejects(checkWith({ credentials: wrong }), (error: unknown) => {
        assert.ok(error instanceof StoreUnavailable)
        assert.match(error.message, /^The bucket content at \S+ refuses the keys \(\w+\): S3_ACCESS_KEY_ID/)
        assert.ok(!error.message.includes('wrong') && !error.message.includes('nobody'))
        return true
      })
  })

  it('says that the bucket does not exist, or cannot be reached', async () => {
    await assert.rejects(checkWith({ bucket: 'absent' }), {
      code: 'NoSuchBucket',
      message: `There is no bucket absent at ${server.endpoint}: BLOBS_URL must name one that exists.`,
    })
    await assert.rejects(checkWith({ endpoint: 'http://127.0.0.1:1' }), {
      code: 'ECONNREFUSED',
      message: 'The bucket content at http://127.0.0.1:1 cannot be used: it answers ECONNREFUSED.',
    })
  })

  it('takes a part from a client by a presigned URL, of exactly the size that was declared', async () => {
    const upload = await begin(store)
    const bytes = randomBytes(1000)
    const { url, headers } = await presigned(upload, 1000)
    for (const size of [999, 1001]) assert.equal((await put(url, randomBytes(size))).status, 403)
    assert.deepEqual(await store.uploads.parts(upload), [])
    const answer = await put(url, bytes, headers)
    assert.equal(answer.status, 200)
    const [part] = await store.uploads.parts(upload)
    assert.equal(part?.etag, answer.headers.get('etag'))
    assert.deepEqual(await store.uploads.seal(upload, 1), contentOf(bytes))
    // Swift still accepts the part, unlike AWS. The blob is a copy, so it stays as it is.
    await put(url, randomBytes(1000))
    assert.ok((await readAll(store, upload.workspace_id, contentOf(bytes).sha256)).equals(bytes))
  })

  it('refuses a presigned URL that was altered or has expired', async () => {
    const upload = await begin(store)
    const { url } = await presigned(upload, 10)
    for (const altered of [
      url.replace('partNumber=1', 'partNumber=2'),
      url.replace(upload.upload_id, newTestId('upl')),
      url.replace(upload.workspace_id, newTestId('wsp')),
      url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=86400'),
    ]) {
      assert.notEqual(altered, url)
      assert.equal((await put(altered, randomBytes(10))).status, 403)
    }
    const short = await presigned(upload, 10, 1)
    await new Promise(resolve => setTimeout(resolve, 2500))
    assert.equal((await put(short.url, randomBytes(10))).status, 403)
    assert.deepEqual(await store.uploads.parts(upload), [])
  })

  it('goes on with a sealing that was interrupted after each of its steps', async () => {
    const upload = await begin(store)
    const parts = [randomBytes(500), randomBytes(500)]
    for (const [at, bytes] of parts.entries()) await send(store, upload, at + 1, bytes)
    const content = contentOf(Buffer.concat(parts))
    const bucket = await openBucket(settings)
    try {
      const { sdk, client } = bucket
      const multipart = { Bucket: bucket.name, Key: bucket.stagingKey(upload), UploadId: upload.reference }
      const Parts = (await store.uploads.parts(upload)).map(part => ({
        PartNumber: part.part_number,
        ETag: part.etag,
      }))
      await client.send(new sdk.CompleteMultipartUploadCommand({ ...multipart, MultipartUpload: { Parts } }))
      assert.deepEqual(await store.uploads.seal(upload, 2), content)
      // The copy was made, and nothing was recorded.
      assert.deepEqual(await store.uploads.seal(upload, 2), content)
      assert.ok((await readAll(store, upload.workspace_id, content.sha256)).equals(Buffer.concat(parts)))
    } finally {
      bucket.close()
    }
  })

  it('copies in pieces what is too large for one request', async () => {
    const bucket = await openBucket(settings)
    try {
      const workspace_id = newTestId('wsp')
      const bytes = randomBytes(2_500)
      const from = bucket.blobKey(workspace_id, (await putBlob(bucket, workspace_id, bytes)).sha256)
      const to = bucket.blobKey(newTestId('wsp'), contentOf(bytes).sha256)
      await copyObject(bucket, { from, to, size_bytes: 2_500 }, 2_000, 1_000)
      const target = bucket.blobOf(to)
      assert.ok(target)
      await store.remove(workspace_id, target.sha256)
      assert.ok((await readAll(store, target.workspace_id, target.sha256)).equals(bytes))
    } finally {
      bucket.close()
    }
  })

  const presigned = async (
    upload: Awaited<ReturnType<typeof begin>>,
    size_bytes: number,
    expires_in_seconds = 60,
  ) =>
    (await store.uploads.partUrl(upload, { part_number: 1, size_bytes, expires_in_seconds })) ?? assert.fail()

  async function checkWith(changed: Partial<BucketSettings>): Promise<void> {
    const other = createBlobStore({ s3: { ...settings, ...changed } }, '')
    try {
      await other.check()
    } finally {
      await other.close()
    }
  }
})

const put = (url: string, body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', body, headers })

async function createBucket({ bucket, endpoint, region, credentials }: BucketSettings): Promise<void> {
  const client = new S3Client({
    endpoint: endpoint ?? '',
    region,
    forcePathStyle: true,
    credentials: {
      accessKeyId: credentials?.access_key_id ?? '',
      secretAccessKey: credentials?.secret_access_key ?? '',
    },
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
}
