import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { NamedBlob } from '../../src/backup/content/named-blobs.ts'
import { verifyBlobs, type BlobFinding } from '../../src/backup/content/verify-blobs.ts'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { backUp } from '../../src/backup/write-backup.ts'
import type { BlobStore, ListedBlob } from '../../src/blobs/blob-store.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { createS3Store } from '../../src/blobs/s3/s3-store.ts'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'
import { allOf, readAll } from '../blobs/blob-world.ts'
import { fetchSwift } from '../harness/swift/swift-packages.ts'
import { startSwift, type SwiftServer } from '../harness/swift/swift-server.ts'
import { openBackupBench, type BackupBench } from './backup-fixture.ts'
import { openFileWriter } from './file-writer.ts'

const swift = await fetchSwift()
const skip = 'missing' in swift && swift.missing

describe('a backup with content in S3', { skip }, () => {
  let bench: BackupBench
  let server: SwiftServer
  let s3: S3Client
  let bucket: BlobStore
  let blobs: NamedBlob[]
  let source: DatabaseAddress
  before(async () => {
    bench = await openBackupBench()
    server = await startSwift('root' in swift ? swift.root : '')
    const { endpoint, keys } = server
    const credentials = { accessKeyId: keys.access_key_id, secretAccessKey: keys.secret_access_key }
    s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
    await s3.send(new CreateBucketCommand({ Bucket: 'content' }))
    bucket = createS3Store({
      bucket: 'content',
      prefix: '',
      endpoint,
      region: 'us-east-1',
      path_style: true,
      credentials: keys,
    })
    source = await bench.target()
    await using files = await openFileWriter(source, bench.store)
    blobs = []
    // The last one is restored in parts.
    for (const size of [0, 1, 70_000, 8 * 1024 * 1024 + 3]) blobs.push(await files.add(randomBytes(size)))
  })
  after(async () => {
    s3?.destroy()
    await bucket?.close()
    await server?.stop()
    await bench[Symbol.asyncDispose]()
  })

  async function verify(address: DatabaseAddress): Promise<[BlobFinding[], ListedBlob[]]> {
    const [findings, unnamed]: [BlobFinding[], ListedBlob[]] = [[], []]
    await verifyBlobs({
      address,
      store: bucket,
      onProgress: () => undefined,
      onFinding: finding => findings.push(finding),
      onUnnamed: blob => unnamed.push(blob),
      signal: new AbortController().signal,
    })
    return [findings, unnamed]
  }

  it(
    'restores from a folder to a bucket, and from there to another folder',
    { timeout: 120_000 },
    async () => {
      const first = await bench.target()
      await restoreBackup({ address: first, backup: await bench.backUp(source), store: bucket })
      assert.deepEqual(await verify(first), [[], []])
      assert.deepEqual(await allOf(bucket.uploads.list()), [])

      const file = bench.path('from-s3.tar.gz')
      const backup = await backUp({ address: first, store: bucket, file })
      const store = createFilesystemStore(bench.path('other'))
      await restoreBackup({ address: await bench.target(), backup, store })
      for (const { workspace_id, sha256 } of blobs)
        assert.equal(hash('sha256', await readAll(store, workspace_id, sha256)), sha256)
      await store.close()
    },
  )

  it('fails if an object was replaced, and says which one', { timeout: 120_000 }, async () => {
    const [, , replaced] = blobs
    assert.ok(replaced)
    const { workspace_id, sha256 } = replaced
    for (const { sha256: each } of blobs)
      await bucket.put(workspace_id, await readAll(bench.store, workspace_id, each))
    const Key = `${workspace_id}/${sha256}`
    await s3.send(new PutObjectCommand({ Bucket: 'content', Key, Body: Buffer.alloc(70_000) }))
    const file = bench.path('replaced.tar.gz')
    await assert.rejects(backUp({ address: source, store: bucket, file }), {
      name: 'BackupError',
      message: new RegExp(
        `^The content ${Key} is damaged, so no backup was made: its bytes have the SHA-256`,
      ),
    })
    const [findings] = await verify(source)
    assert.deepEqual(
      findings.map(({ problem, sha256: found }) => [problem, found]),
      [['damaged', sha256]],
    )
  })
})
