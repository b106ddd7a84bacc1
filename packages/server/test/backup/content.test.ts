import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { BackupError } from '../../src/backup/backup-error.ts'
import type { NamedBlob } from '../../src/backup/content/named-blobs.ts'
import { checkBackup, type CheckedBackup } from '../../src/backup/read-archive.ts'
import { restoreBackup, type RestoreOptions } from '../../src/backup/restore-backup.ts'
import { backUp } from '../../src/backup/write-backup.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'
import { allOf, readAll } from '../blobs/blob-world.ts'
import { allRows, shapeOf } from './all-rows.ts'
import { openBackupBench, type BackupBench } from './backup-fixture.ts'
import { openFileWriter, type FileWriter } from './file-writer.ts'
import { asFirstFormat, rewriteArchive } from './rewrite-archive.ts'

const told = (pattern: RegExp) => (error: unknown) =>
  error instanceof BackupError && pattern.test(error.message) && !error.message.includes('\n')

/** Text, nothing at all, and what does not become smaller. */
const contents = [Buffer.from('Ω one page of text\r\n'), Buffer.alloc(0), randomBytes(700)]
/** More than fits into two parts of an upload. */
const large = randomBytes(16 * 1024 * 1024 + 3)

/** Two Workspaces with Files in a database, and a backup of it. */
interface Files extends AsyncDisposable {
  source: DatabaseAddress
  writer: FileWriter
  other: FileWriter
  blobs: NamedBlob[]
  backup: CheckedBackup
}

async function makeFiles(bench: BackupBench, all: readonly Buffer[]): Promise<Files> {
  const source = await bench.target()
  const writer = await openFileWriter(source, bench.store)
  const other = await openFileWriter(source, bench.store)
  const blobs: NamedBlob[] = []
  for (const bytes of all) blobs.push(await writer.add(bytes))
  // Two Files with the same content, in each of two Workspaces.
  await writer.add(all[0] ?? Buffer.alloc(0))
  blobs.push(await other.add(all[0] ?? Buffer.alloc(0)))
  return {
    source,
    writer,
    other,
    blobs,
    backup: await bench.backUp(source),
    async [Symbol.asyncDispose]() {
      await writer[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
    },
  }
}

describe('the content of Files', () => {
  let bench: BackupBench
  let files: Files
  let withLarge: Files
  /** What is in a database that is set up and unused. */
  let asItWas: unknown
  before(async () => {
    bench = await openBackupBench()
    files = await makeFiles(bench, contents)
    withLarge = await makeFiles(bench, [...contents, large])
    asItWas = await stateOf(await bench.target())
  })
  after(async () => {
    await files[Symbol.asyncDispose]()
    await withLarge[Symbol.asyncDispose]()
    await bench[Symbol.asyncDispose]()
  })
  const stateOf = async (address: DatabaseAddress) => [await allRows(address), await shapeOf(address)]

  let stores = 0
  const folderOf = (name: string) => bench.path(`store-${name}-${++stores}`)

  /** A store in a new folder, which is closed when the test ends. */
  function newStore(test: { after(hook: () => Promise<void>): void }, folder = folderOf('new')): BlobStore {
    const store = createFilesystemStore(folder)
    test.after(() => store.close())
    return store
  }

  const pathOf = (folder: string, { workspace_id, sha256 }: NamedBlob) =>
    join(folder, workspace_id, sha256.slice(0, 2), sha256)

  async function hasAll(store: BlobStore, { blobs } = files): Promise<void> {
    for (const { workspace_id, sha256, size_bytes } of blobs) {
      const bytes = await readAll(store, workspace_id, sha256)
      assert.deepEqual([bytes.length, hash('sha256', bytes)], [size_bytes, sha256])
    }
    assert.equal((await allOf(store.list())).length, blobs.length)
    assert.deepEqual(await allOf(store.uploads.list()), [])
  }

  /** Asserts that the restore fails with this message and leaves the database as it was. */
  async function isRefused(
    options: Omit<RestoreOptions, 'address'>,
    pattern: RegExp,
  ): Promise<DatabaseAddress> {
    const address = await bench.target()
    await assert.rejects(restoreBackup({ address, ...options }), told(pattern))
    assert.deepEqual(await stateOf(address), asItWas)
    return address
  }

  const skip = spawnSync('tar', ['--version']).error !== undefined && 'tar is not installed'
  it('is in files that tar unpacks, named by what they contain', { skip }, async () => {
    const { blobs, backup } = withLarge
    const folder = bench.path('unpacked')
    await mkdir(folder)
    await promisify(execFile)('tar', ['-xzf', backup.file, '-C', folder])
    for (const { workspace_id, sha256 } of blobs) {
      const bytes = await readFile(join(folder, 'blobs', workspace_id, sha256))
      assert.equal(hash('sha256', bytes), sha256)
    }
  })

  it('is kept where it is already, once it is verified: damaged content stops the restore, and one without it follows', async context => {
    const { writer, blobs, backup } = files
    const folder = folderOf('kept')
    const store = newStore(context, folder)
    for (const bytes of contents) await store.put(writer.workspace_id, bytes)
    const [, , blob] = blobs
    assert.ok(blob)
    const written = (await allOf(store.list())).filter(({ sha256 }) => sha256 !== blob.sha256)
    assert.equal(written.length, contents.length - 1)
    await writeFile(pathOf(folder, blob), randomBytes(blob.size_bytes))
    const address = await isRefused(
      { backup, store },
      new RegExp(
        `already has the content ${blob.workspace_id}/${blob.sha256}, but damaged: its bytes have the SHA-256`,
      ),
    )
    await rm(pathOf(folder, blob))
    await restoreBackup({ address, backup, store })
    await hasAll(store)
    const there = new Map(
      (await allOf(store.list())).map(blob => [`${blob.workspace_id}${blob.sha256}`, blob]),
    )
    for (const blob of written)
      assert.deepEqual(there.get(`${blob.workspace_id}${blob.sha256}`)?.stored_at, blob.stored_at)
  })

  it('is stored before a restore that is interrupted ends, and the next one finds it and brings back all of it, byte for byte and once for each Workspace', async context => {
    const { source, blobs, backup } = withLarge
    const bytes = blobs.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
    assert.deepEqual(backup.manifest.blobs, { count: 5, bytes })
    const store = newStore(context)
    const address = await bench.target()
    const stop = new AbortController()
    const restore = restoreBackup({
      address,
      backup,
      store,
      signal: stop.signal,
      onProgress: progress =>
        progress.phase === 'storing_content' && progress.bytes > 12_000_000 && stop.abort(),
    })
    await assert.rejects(restore, { name: 'AbortError' })
    assert.deepEqual(await stateOf(address), asItWas)
    assert.deepEqual(await allOf(store.uploads.list()), [])
    let stored = 0
    const onProgress: RestoreOptions['onProgress'] = progress => {
      if (progress.phase === 'storing_content') stored = progress.bytes
    }
    await restoreBackup({ address, backup, store, onProgress })
    // What the store has already is verified, and not reported.
    assert.ok(stored >= large.length && stored <= bytes, String(stored))
    await hasAll(store, withLarge)
    assert.deepEqual(await allRows(address), await allRows(source))
  })

  it('that another writer altered in the file is refused', async context => {
    const { backup } = files
    const file = bench.path('altered.tar.gz')
    const altered = (name: string, content: Buffer) =>
      name.startsWith('blobs/') && content.length === 700 ? randomBytes(700) : content
    await rewriteArchive(backup.file, file, altered)
    await assert.rejects(checkBackup(file), told(/the content \S+ is not what was written/))
    await isRefused({ backup: { ...backup, file }, store: newStore(context) }, /is not what was written/)
    await rewriteArchive(backup.file, file, (name, content) =>
      name.startsWith('blobs/') && content.length === 700 ? null : content,
    )
    await assert.rejects(checkBackup(file), told(/its content is not all that was written/))
  })

  it('is required of the store if the backup was made without it', async context => {
    const { source, writer, other } = files
    const file = bench.path('without.tar.gz')
    const without = await backUp({ address: source, file, store: null })
    assert.equal(without.manifest.blobs, null)
    const store = newStore(context)
    for (const bytes of contents) await store.put(writer.workspace_id, bytes)
    const address = await isRefused(
      { backup: without, store },
      new RegExp(`made without content, and the store does not have the content ${other.workspace_id}/`),
    )
    await store.put(other.workspace_id, contents[0] ?? Buffer.alloc(0))
    await restoreBackup({ address, backup: without, store })
    assert.deepEqual(await allRows(address), await allRows(source))
  })

  it('is required of the store by a backup of the first format, which has none', async context => {
    const { source, backup } = files
    const file = bench.path('first.tar.gz')
    await asFirstFormat(backup.file, file)
    const first = await checkBackup(file)
    assert.equal(first.header.format_version, 1)
    await isRefused({ backup: first, store: newStore(context) }, /made without content/)
    const address = await bench.target()
    await restoreBackup({ address, backup: first, store: bench.store })
    assert.deepEqual(await allRows(address), await allRows(source))
  })

  it('that is damaged or missing stops a backup, which names it and leaves no file', async context => {
    const folder = folderOf('broken')
    const store = newStore(context, folder)
    const address = await bench.target()
    await using files = await openFileWriter(address, store)
    const blob = await files.add(randomBytes(5000))
    const fails = async (pattern: RegExp) => {
      const broken = backUp({ address, store, file: bench.path('broken.tar.gz') })
      await assert.rejects(broken, told(pattern))
      assert.deepEqual(
        (await readdir(bench.path(''))).filter(name => name.startsWith('broken')),
        [],
      )
    }
    const name = `The content ${blob.workspace_id}/${blob.sha256}`
    for (const [bytes, reason] of [
      [randomBytes(5000), 'its bytes have the SHA-256 '],
      [randomBytes(4999), 'it has 4999 bytes instead of 5000'],
      [randomBytes(5001), 'it has more than 5000 bytes'],
    ] as const) {
      await writeFile(pathOf(folder, blob), bytes)
      await fails(new RegExp(`^${name} is damaged, so no backup was made: ${reason}`))
    }
    await rm(pathOf(folder, blob))
    await fails(new RegExp(`^${name} is not in the store, so no backup was made; wbs blobs verify lists`))
  })

  it('needs a store that works before anything is restored', async context => {
    const { backup } = files
    const folder = bench.path('a-file')
    await writeFile(folder, '')
    const address = await bench.empty()
    const store = newStore(context, folder)
    await assert.rejects(restoreBackup({ address, backup, store }), {
      name: 'Error',
      message: /cannot be used for content/,
    })
  })
})
