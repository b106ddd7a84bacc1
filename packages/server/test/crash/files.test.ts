import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { createClient, type Client } from '@wbs/sdk'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { openPools } from '../../src/database/database.ts'
import { sweepBlobs } from '../../src/files/processing/sweep-blobs.ts'
import { usedDataFolder, type DataFolder, type ServiceProcess } from '../harness/process.ts'
import { proofRuns, proofSeed } from '../harness/proof.ts'
import { numbersFrom } from './seed.ts'

const random = numbersFrom(proofSeed())
/** Kills go on until so many Files were answered, and each kind of death happened. */
const mostFiles = proofRuns({ full: 300, short: 30 })

/** A File that somebody asks for under keys of their own, and what was answered. */
interface Wish {
  name: string
  content: Buffer
  kind: 'text' | 'upload'
  keys: Record<'create' | 'send' | 'complete', string>
  answered: { file_id: string } | null
  upload_id?: string
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

function makeWish(at: number): Wish {
  const keys = { create: randomUUID(), send: randomUUID(), complete: randomUUID() }
  // Every tenth content is one that others have too, which the store has once.
  const text = at % 10 === 0 ? 'The same content' : `${randomUUID()}\n`.repeat(1 + Math.floor(random() * 400))
  const kind = at % 3 === 0 ? 'upload' : 'text'
  return { name: `${randomUUID()}.txt`, content: Buffer.from(text), kind, keys, answered: null }
}

/** Creates the File of a wish; every step may be repeated, and is then answered as before. */
async function fulfil(wish: Wish, client: Client): Promise<void> {
  const { name, content, keys } = wish
  const key = (step: keyof Wish['keys']) => ({ idempotency_key: keys[step] })
  if (wish.kind === 'text') {
    const { file } = await client.createTextFile(
      { name, content: content.toString(), format: 'plain_text' },
      key('create'),
    )
    assert.equal(file.file_id, wish.answered?.file_id ?? file.file_id)
    wish.answered = { file_id: file.file_id }
    return
  }
  const { file, upload } = await client.createFileUpload(
    { name, content_type: 'text/plain', size_bytes: content.length },
    key('create'),
  )
  assert.equal(file.file_id, wish.answered?.file_id ?? file.file_id)
  const { upload_id } = upload
  wish.upload_id = upload_id
  if ((await client.getUpload({ upload_id })).upload.status === 'open')
    await client.uploadContent({ upload_id, content: content.toString('base64') }, key('send'))
  const { new_version } = await client.completeUpload({ upload_id }, key('complete'))
  assert.equal(new_version.sha256, sha256Of(content))
  wish.answered = { file_id: file.file_id }
}

describe('kill -9 at any moment while Files are created', () => {
  let folder: DataFolder
  let service: ServiceProcess
  let client: Client
  let hasty: Client
  let workspace_id = ''
  const wishes: Wish[] = []

  before(async () => {
    folder = await usedDataFolder()
    await start()
    workspace_id = (await client.createWorkspace({ name: 'Harbor' })).workspace.id
    connect()
  })
  after(() => folder.remove())

  async function start(): Promise<void> {
    service = await folder.start({ SVC_SAMPLE_DATA: 'off', RATE_LIMIT_SCALE: '0' })
    const { users } = await service.quickstart()
    token = users.newcomer?.access_token ?? ''
    connect()
  }
  let token = ''
  function connect(): void {
    const settings = {
      base_url: service.base_url,
      access_token: token,
      ...(workspace_id && { workspace_id }),
    }
    client = createClient(settings)
    hasty = createClient({ ...settings, attempts: 1 })
  }

  async function withDatabase<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
    const admin = new pg.Client({ host: join(folder.path, 'postgres'), user: 'svc', database: 'postgres' })
    admin.on('error', () => {})
    await admin.connect()
    try {
      return await work(admin)
    } finally {
      await admin.end()
    }
  }

  const deaths: (() => Promise<unknown>)[] = [
    async () => {
      await service.end('SIGKILL')
      await start()
    },
    () =>
      withDatabase(admin =>
        admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wbs svc_writer' and state <> 'idle'`,
        ),
      ),
  ]

  it(
    'each that was answered is there, byte for byte, and each key has one File',
    { timeout: 200_000 },
    async context => {
      const stop = new AbortController()
      const wisher = async () => {
        while (!stop.signal.aborted) {
          const wish = makeWish(wishes.length)
          wishes.push(wish)
          await fulfil(wish, hasty).catch(() => sleep(150))
        }
      }
      const wishing = Promise.all(Array.from({ length: 4 }, wisher))
      const answers = () => wishes.filter(wish => wish.answered !== null).length
      for (let kill = 0; answers() < mostFiles || kill < deaths.length; kill++) {
        for (const enough = answers() + 5 + random() * 25; answers() < enough;) await sleep(2)
        await deaths[kill % deaths.length]?.()
      }
      stop.abort()
      await wishing
      const answered = answers()
      const left = wishes.values()
      const repeat = async () => {
        for (const wish of left) await fulfil(wish, client)
      }
      await Promise.all(Array.from({ length: 4 }, repeat))
      context.diagnostic(`${wishes.length} asked, ${answered} answered at once`)
      const found = new Map<string, string>()
      for await (const file of client.listFiles.each({ limit: 100 })) {
        assert.ok(!found.has(file.name), `two are called ${file.name}`)
        found.set(file.name, file.file_id)
      }
      assert.deepEqual(found, new Map(wishes.map(wish => [wish.name, wish.answered?.file_id ?? ''])))
    },
  )

  it('and reads back', { timeout: 120_000 }, async () => {
    // An attempt that died with the service is made again only when its time is over, so some are not ready yet.
    let processing = 0
    const left = wishes.values()
    const readAll = async () => {
      for (const { answered, content } of left) {
        const file_id = answered?.file_id ?? ''
        const { current_version } = (await client.getFile({ file_id })).file
        assert.equal(current_version.sha256, sha256Of(content))
        if (current_version.processing_status === 'processing') {
          processing++
          continue
        }
        const { file_content } = await client.readFileContent({ file_id })
        assert.equal(file_content.content, content.toString())
      }
    }
    await Promise.all([readAll(), readAll(), readAll(), readAll()])
    assert.ok(processing < wishes.length / 3, `${processing} are still being processed`)
  })

  it('and no row is without its bytes, and after the sweep no bytes are without a row', async () => {
    const blobs = createFilesystemStore(join(folder.path, 'blobs'))
    const database = openPools(
      { host: join(folder.path, 'postgres'), user: 'svc', database: 'postgres' },
      pino({ level: 'silent' }),
    )
    const rows = await withDatabase(admin =>
      admin.query<{ workspace_id: string; sha256: string }>(
        'select distinct workspace_id, sha256 from svc.file_versions where sha256 is not null',
      ),
    )
    for (const row of rows.rows) assert.ok(await blobs.has(row.workspace_id, row.sha256))
    const stored = async () => {
      const found: string[] = []
      for await (const blob of blobs.list()) found.push(blob.sha256)
      return found.sort()
    }
    // Content that nobody names, as a crash between the store and the commit leaves it.
    await blobs.put(workspace_id, Buffer.from('Nobody names this'))
    const swept = await sweepBlobs(
      { blobs, readers: database.readers, writers: database.writers, now: () => new Date() },
      {
        blob_hours: 0,
        upload_hours: 0,
      },
    )
    assert.ok(swept.blobs >= 1)
    assert.deepEqual(await stored(), rows.rows.map(({ sha256 }) => sha256).sort())
    const uploads: string[] = []
    for await (const { upload_id } of blobs.uploads.list()) uploads.push(upload_id)
    assert.deepEqual(uploads, [])
    await blobs.close()
    await database.close()
  })
})
