import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { after, before, describe, it, mock } from 'node:test'
import { PartsMissing, StoreUnavailable } from '../../src/blobs/blob-errors.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { createBlobStore } from '../../src/blobs/create-blob-store.ts'
import { namesInOrder } from '../../src/blobs/filesystem/list-files.ts'
import { allOf, begin, contentOf, newTestId, readAll, send, sha256Of } from './blob-world.ts'
import { itKeepsContent, itKeepsUploads } from './contract.ts'

describe('content in a folder', () => {
  let folder: string
  let root: string
  let store: BlobStore
  before(async () => {
    folder = await fs.mkdtemp(join(tmpdir(), 'wbs-blobs-'))
    root = join(folder, 'data', 'blobs')
    store = createBlobStore({ s3: null }, root)
  })
  after(async () => {
    await store.close()
    await fs.rm(folder, { recursive: true, force: true })
  })

  itKeepsContent(() => store)
  itKeepsUploads(() => store)

  const pathOf = (workspace_id: string, sha256: string) =>
    join(root, workspace_id, sha256.slice(0, 2), sha256)

  it('is one plain file for each blob, which only its owner can read', async () => {
    const upload = await begin(store)
    const bytes = randomBytes(100)
    await send(store, upload, 1, bytes)
    const { workspace_id } = upload
    const stored = [await store.uploads.seal(upload, 1), await store.put(workspace_id, randomBytes(50))]
    assert.ok((await fs.readFile(pathOf(workspace_id, sha256Of(bytes)))).equals(bytes))
    for (const { sha256 } of stored) {
      const path = pathOf(workspace_id, sha256)
      assert.equal((await fs.stat(path)).mode & 0o777, 0o600)
      for (const each of [join(path, '..'), join(path, '../..'), root])
        assert.equal((await fs.stat(each)).mode & 0o777, 0o700, each)
    }
  })

  it('leaves nothing in the temporary folder, whatever fails', async () => {
    assert.deepEqual(await fs.readdir(join(root, 'temporary')), [])
  })

  it('gives a file its name only when its bytes are on the disk, and then makes the name durable', async () => {
    const workspace_id = newTestId('wsp')
    await store.put(workspace_id, randomBytes(10))
    const steps = await stepsOf(() => store.put(workspace_id, randomBytes(10)))
    const renamed = steps.indexOf('rename')
    assert.equal(steps.slice(0, renamed).includes('datasync'), true)
    assert.equal(steps.at(-1), 'sync')
  })

  it('replaces a blob that has lost bytes when it is stored again', async () => {
    const workspace_id = newTestId('wsp')
    const bytes = randomBytes(1000)
    const { sha256 } = await store.put(workspace_id, bytes)
    await fs.truncate(pathOf(workspace_id, sha256), 10)
    await store.put(workspace_id, bytes)
    assert.ok((await readAll(store, workspace_id, sha256)).equals(bytes))
  })

  for (const [how, damage] of [
    ['other bytes', (path: string) => fs.writeFile(path, randomBytes(1000))],
    ['fewer bytes', (path: string) => fs.truncate(path, 999)],
  ] as const)
    it(`counts a part with ${how} than were received as missing`, async () => {
      for (const count of [1, 3]) {
        const upload = await begin(store)
        const parts = Array.from({ length: count }, () => randomBytes(1000))
        for (const [at, bytes] of parts.entries()) await send(store, upload, at + 1, bytes)
        const parts_folder = join(root, 'uploads', upload.workspace_id, upload.upload_id)
        const names = await fs.readdir(parts_folder)
        const damaged = names.find(name => name.startsWith(`${count}-`)) ?? assert.fail()
        await damage(join(parts_folder, damaged))
        await assert.rejects(store.uploads.seal(upload, count), (error: unknown) => {
          assert.ok(error instanceof PartsMissing)
          assert.deepEqual(error.part_numbers, [count])
          return true
        })
        assert.equal((await store.uploads.parts(upload)).length, count - 1)
        await send(store, upload, count, parts.at(-1) ?? assert.fail())
        assert.deepEqual(await store.uploads.seal(upload, count), contentOf(Buffer.concat(parts)))
      }
    })

  it('says in one sentence that its folder cannot be used', async () => {
    const file = join(folder, 'file')
    await fs.writeFile(file, '')
    const unusable = createBlobStore({ s3: null }, join(file, 'blobs'))
    for (const use of [
      () => unusable.check(),
      () => unusable.put(newTestId('wsp'), randomBytes(1)),
      () => unusable.uploads.begin({ workspace_id: newTestId('wsp'), upload_id: newTestId('upl') }),
    ])
      await assert.rejects(use(), (error: unknown) => {
        assert.ok(error instanceof StoreUnavailable)
        assert.equal(error.code, 'ENOTDIR')
        assert.match(error.message, /^The folder \S+ cannot be used for content: [a-z ]+ \(ENOTDIR\)\.$/)
        return true
      })
    await unusable.close()
  })

  it('removes what a crash left without a name only after a day', async () => {
    const left = join(root, 'temporary', 'left')
    await fs.writeFile(left, 'half')
    await store.check()
    assert.equal(await fs.readFile(left, 'utf8'), 'half')
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 25 * 3600 * 1000 })
    try {
      await store.check()
    } finally {
      mock.timers.reset()
    }
    await assert.rejects(fs.stat(left), { code: 'ENOENT' })
  })

  it('lists nothing that is no blob', async () => {
    const workspace_id = newTestId('wsp')
    const { sha256 } = await store.put(workspace_id, randomBytes(5))
    await fs.writeFile(join(pathOf(workspace_id, sha256), '..', `${sha256}.part`), '')
    await fs.writeFile(join(root, 'notes'), '')
    const listed = (await allOf(store.list())).filter(blob => blob.workspace_id === workspace_id)
    assert.deepEqual(
      listed.map(blob => blob.sha256),
      [sha256],
    )
  })

  it('reads a folder that is larger than what it holds in parts, which have each name once', async () => {
    const large = join(root, 'large')
    await fs.mkdir(large)
    const names = Array.from({ length: 63 }, () => randomBytes(8).toString('hex')).sort()
    for (const name of names) await fs.writeFile(join(large, name), '')
    for (const mostHeld of [1, 7, 10, 62, 63, 64, 200])
      assert.deepEqual(await allOf(namesInOrder(large, '', mostHeld)), names, String(mostHeld))
    assert.deepEqual(await allOf(namesInOrder(large, names[30], 7)), names.slice(30))
    assert.deepEqual(await allOf(namesInOrder(join(root, 'absent'))), [])
  })
})

/** The calls that write, rename and sync, in order. */
async function stepsOf(work: () => Promise<unknown>): Promise<string[]> {
  const steps: string[] = []
  const file = await fs.open(tmpdir(), 'r')
  const prototype = Object.getPrototypeOf(file) as typeof file
  await file.close()
  const { rename } = fs
  const { sync, datasync } = prototype
  mock.method(fs, 'rename', (...paths: Parameters<typeof rename>) => (steps.push('rename'), rename(...paths)))
  mock.method(prototype, 'sync', function (this: typeof file) {
    steps.push('sync')
    return sync.call(this)
  })
  mock.method(prototype, 'datasync', function (this: typeof file) {
    steps.push('datasync')
    return datasync.call(this)
  })
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
  return steps
}
