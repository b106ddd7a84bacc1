import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { PartsMissing } from '../../src/blobs/blob-errors.ts'
import type { BegunUpload, BlobStore } from '../../src/blobs/blob-store.ts'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { eventually } from '../harness/eventually.ts'
import { begin, contentOf, inChunks, readAll } from './blob-world.ts'

const mebibyte = 1024 * 1024
/** Three parts are enough for an upload to be sealed while it arrives. */
const partBytes = 8 * mebibyte

describe('an upload that is sealed while its parts arrive', () => {
  let root: string
  let store: BlobStore
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'wbs-blobs-'))
    store = createFilesystemStore(root)
  })
  afterEach(async () => {
    await store.close()
    await rm(root, { recursive: true, force: true })
  })

  const someParts = (count: number) => Array.from({ length: count }, () => randomBytes(partBytes))
  const send = (upload: BegunUpload, part_number: number, bytes: Uint8Array) =>
    store.uploads.writePart(
      upload,
      { part_number, size_bytes: bytes.byteLength },
      inChunks(bytes, 256 * 1024),
    )
  const inProgress = () => readdir(join(root, 'temporary'))
  /** Waits until the file that grows has so many bytes. */
  const grown = (size_bytes: number) =>
    eventually(async () => {
      const [name] = await inProgress()
      const found = name !== undefined && (await stat(join(root, 'temporary', name)))
      return found && found.size >= size_bytes ? true : undefined
    })

  async function sealsAs(upload: BegunUpload, parts: readonly Uint8Array[]): Promise<void> {
    const bytes = Buffer.concat(parts)
    const sealed = await store.uploads.seal(upload, parts.length)
    assert.deepEqual(sealed, contentOf(bytes))
    assert.ok((await readAll(store, upload.workspace_id, sealed.sha256)).equals(bytes))
    assert.deepEqual(await inProgress(), [])
  }

  it('has the bytes of all parts, in whatever order they arrived', async () => {
    for (const order of [
      [1, 2, 3, 4],
      [4, 3, 2, 1],
      [2, 1, 4, 3],
    ]) {
      const upload = await begin(store)
      const parts = someParts(4)
      await Promise.all(order.map(number => send(upload, number, parts[number - 1] ?? assert.fail())))
      await sealsAs(upload, parts)
      await sealsAs(upload, parts)
    }
  })

  it('is one file that grows before the upload is completed', async () => {
    const upload = await begin(store)
    const parts = someParts(3)
    for (const [at, bytes] of parts.entries()) await send(upload, at + 1, bytes)
    await grown(3 * partBytes)
    await sealsAs(upload, parts)
  })

  it('has the last bytes of a part that was replaced after it was appended', async () => {
    const upload = await begin(store)
    const parts = someParts(3)
    for (const [at, bytes] of parts.entries()) await send(upload, at + 1, bytes)
    await grown(3 * partBytes)
    const [replaced = assert.fail()] = someParts(1)
    await send(upload, 2, replaced)
    await sealsAs(upload, parts.with(1, replaced))
  })

  it('leaves out parts beyond the declared number', async () => {
    const upload = await begin(store)
    const parts = someParts(3)
    for (const [at, bytes] of parts.entries()) await send(upload, at + 1, bytes)
    await grown(3 * partBytes)
    await sealsAs(upload, parts.slice(0, 2))
  })

  it('counts a part as missing that was damaged before it was appended', async () => {
    const upload = await begin(store)
    const parts = someParts(3)
    await send(upload, 3, parts[2] ?? assert.fail())
    const folder = join(root, 'uploads', upload.workspace_id, upload.upload_id)
    const [damaged = ''] = await readdir(folder)
    await writeFile(join(folder, damaged), randomBytes(partBytes))
    for (const number of [1, 2]) await send(upload, number, parts[number - 1] ?? assert.fail())
    await assert.rejects(store.uploads.seal(upload, 3), (error: unknown) => {
      assert.ok(error instanceof PartsMissing)
      assert.deepEqual(error.part_numbers, [3])
      return true
    })
    await send(upload, 3, parts[2] ?? assert.fail())
    await sealsAs(upload, parts)
  })

  it('is sealed from the beginning by another process', async () => {
    const upload = await begin(store)
    const parts = someParts(3)
    for (const [at, bytes] of parts.entries()) await send(upload, at + 1, bytes)
    await grown(3 * partBytes)
    const other = createFilesystemStore(root)
    try {
      assert.deepEqual(await other.uploads.seal(upload, 3), contentOf(Buffer.concat(parts)))
    } finally {
      await other.close()
    }
    await sealsAs(upload, parts)
  })

  it('ends with the reason of the signal, and is sealed when it is asked for again', async () => {
    for (const isAppended of [false, true]) {
      const upload = await begin(store)
      const parts = someParts(4)
      for (const [at, bytes] of parts.entries()) await send(upload, at + 1, bytes)
      if (isAppended) await grown(4 * partBytes)
      const reason = new Error('The service stops.')
      const stop = new AbortController()
      const sealing = store.uploads.seal(upload, 4, stop.signal)
      stop.abort(reason)
      await assert.rejects(sealing, reason)
      await sealsAs(upload, parts)
    }
  })

  it('leaves no file when it is discarded or the store is closed', async () => {
    for (const end of [(upload: BegunUpload) => store.uploads.discard(upload), () => store.close()]) {
      const upload = await begin(store)
      for (const [at, bytes] of someParts(3).entries()) await send(upload, at + 1, bytes)
      await grown(3 * partBytes)
      await end(upload)
      assert.deepEqual(await inProgress(), [])
    }
  })
})
