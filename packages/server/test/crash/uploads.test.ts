import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createClient, type Client } from '@wbs/sdk'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { openPools } from '../../src/database/database.ts'
import { sweepBlobs } from '../../src/files/processing/sweep-blobs.ts'
import { usedDataFolder, type DataFolder, type ServiceProcess } from '../harness/process.ts'
import { proofRuns, proofSeed } from '../harness/proof.ts'
import { quietLog } from '../harness/quiet-log.ts'
import { numbersFrom } from './seed.ts'

const random = numbersFrom(proofSeed())
const rounds = proofRuns({ full: 10, short: 1 })

/** An upload that was completed under a key, and the content of the answer, if there was one. */
interface Completion {
  key: string
  upload_id: Parameters<Client['completeUpload']>[0]['upload_id']
  answered: string | null
}

describe('kill -9 at any moment during uploads', () => {
  let folder: DataFolder
  let service: ServiceProcess
  let client: Client
  let hasty: Client
  let workspace_id: string | undefined
  let blobs: BlobStore
  const completions: Completion[] = []

  before(async () => {
    folder = await usedDataFolder()
    blobs = createFilesystemStore(join(folder.path, 'blobs'))
    await start()
  })
  after(async () => {
    await blobs.close()
    await folder.remove()
  })

  async function start(): Promise<void> {
    service = await folder.start({ SVC_SAMPLE_DATA: 'off' })
    const { users } = await service.quickstart()
    const settings = { base_url: service.base_url, access_token: users.newcomer?.access_token ?? '' }
    workspace_id ??= (await createClient(settings).createWorkspace({ name: 'Uploads' })).workspace.id
    client = createClient({ ...settings, workspace_id })
    hasty = createClient({ ...settings, workspace_id, attempts: 1 })
  }

  async function uploadOne(): Promise<void> {
    const content = randomBytes(200_000)
    const { upload } = await hasty.createFileUpload({
      name: 'Crash.bin',
      content_type: 'application/octet-stream',
      size_bytes: content.length,
    })
    const { upload_id } = upload
    await hasty.uploadContent({ upload_id, content: content.toString('base64') })
    const completion: Completion = { key: randomUUID(), upload_id, answered: null }
    completions.push(completion)
    await complete(completion, hasty)
  }

  async function complete(completion: Completion, through: Client): Promise<void> {
    const { upload_id, key, answered } = completion
    const { new_version } = await through.completeUpload({ upload_id }, { idempotency_key: key })
    assert.equal(new_version.sha256, answered ?? new_version.sha256)
    completion.answered = new_version.sha256
  }

  async function whileUploading(kill: () => Promise<unknown>): Promise<void> {
    const first = completions.length
    const stop = new AbortController()
    const uploader = async () => {
      while (!stop.signal.aborted) await uploadOne().catch(() => sleep(20))
    }
    const uploading = Promise.all(Array.from({ length: 4 }, uploader))
    while (!completions.slice(first).some(one => one.answered !== null)) await sleep(1)
    await sleep(random() * 200)
    await kill()
    stop.abort()
    await uploading
  }

  const asOwner = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> => {
    const admin = new pg.Client({ host: join(folder.path, 'postgres'), user: 'svc', database: 'postgres' })
    await admin.connect()
    try {
      return (await admin.query<Row>(text)).rows
    } finally {
      await admin.end()
    }
  }

  const contentsInRows = () =>
    asOwner<{ workspace_id: string; sha256: string }>(
      'select distinct workspace_id, sha256 from svc.file_versions where sha256 is not null',
    )

  it('leaves no version without its content, and every completion can be repeated', async context => {
    for (let round = 0; round < rounds; round++) {
      await whileUploading(() => service.end('SIGKILL'))
      await start()
      for (const { workspace_id, sha256 } of await contentsInRows())
        assert.ok(await blobs.has(workspace_id, sha256), `${sha256} is gone`)
      for (const completion of completions) await complete(completion, client)
    }
    context.diagnostic(`${completions.length} uploads`)
  })

  it('leaves no content without a version once the sweeper has run', async () => {
    await blobs.put(workspace_id ?? '', Buffer.from('an orphan, as a crash before the commit leaves one'))
    const database = openPools(
      { host: join(folder.path, 'postgres'), user: 'svc', database: 'postgres' },
      quietLog,
    )
    const { readers, writers } = database
    const ages = { blob_hours: 0, upload_hours: 0 }
    const { blobs: removed } = await sweepBlobs({ blobs, readers, writers, now: () => new Date() }, ages)
    await database.close()
    assert.ok(removed >= 1)
    const named = new Set((await contentsInRows()).map(({ sha256 }) => sha256))
    const stored = new Set<string>()
    for await (const { sha256 } of blobs.list()) stored.add(sha256)
    assert.deepEqual(stored, named)
  })
})
